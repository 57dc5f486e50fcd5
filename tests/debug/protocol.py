# SPDX-License-Identifier: MIT
"""The messages of the Debug Adapter Protocol that an adapter sends, as tables of fields, and a check of a message against
them. They are those of the protocol's JSON schema (https://microsoft.github.io/debug-adapter-protocol). If CLDBG_DAP_SCHEMA
names a copy of the schema, the tables are compared with it (editor.py), and each message is checked against it, too, for which
Python needs the package jsonschema.

A field is `name: type`, or `name?: type` if it is optional. A type is string, integer, number, boolean, id (an integer or a
string), a list [type], one of several words a|b|c, or a type of TYPES.
"""
import json
import os
import re

RESPONSES = {
    "initialize": "Capabilities",
    "launch": "",
    "attach": "",
    "configurationDone": "",
    "setBreakpoints": "breakpoints: [Breakpoint]",
    "setFunctionBreakpoints": "breakpoints: [Breakpoint]",
    "setExceptionBreakpoints": "breakpoints?: [Breakpoint]",
    "setDataBreakpoints": "breakpoints: [Breakpoint]",
    "dataBreakpointInfo": "dataId: string or null, description: string, accessTypes?: [read|write|readWrite], canPersist?: boolean",
    "setInstructionBreakpoints": "breakpoints: [Breakpoint]",
    "threads": "threads: [Thread]",
    "stackTrace": "stackFrames: [StackFrame], totalFrames?: integer",
    "scopes": "scopes: [Scope]",
    "variables": "variables: [Variable]",
    "setVariable": "value: string, type?: string, variablesReference?: integer, namedVariables?: integer, indexedVariables?: integer, memoryReference?: string, valueLocationReference?: integer",
    "setExpression": "value: string, type?: string, presentationHint?: VariablePresentationHint, variablesReference?: integer, namedVariables?: integer, indexedVariables?: integer, memoryReference?: string, valueLocationReference?: integer",
    "evaluate": "result: string, type?: string, presentationHint?: VariablePresentationHint, variablesReference: integer, namedVariables?: integer, indexedVariables?: integer, memoryReference?: string, valueLocationReference?: integer",
    "continue": "allThreadsContinued?: boolean",
    "next": "",
    "stepIn": "",
    "stepInTargets": "targets: [StepInTarget]",
    "stepOut": "",
    "stepBack": "",
    "reverseContinue": "",
    "restartFrame": "",
    "pause": "",
    "source": "content: string, mimeType?: string",
    "completions": "targets: [CompletionItem]",
    "exceptionInfo": "exceptionId: string, description?: string, breakMode: never|always|unhandled|userUnhandled, details?: ExceptionDetails",
    "readMemory": "address: string, unreadableBytes?: integer, data?: string",
    "writeMemory": "offset?: integer, bytesWritten?: integer",
    "disassemble": "instructions: [DisassembledInstruction]",
    "modules": "modules: [Module], totalModules?: integer",
    "loadedSources": "sources: [Source]",
    "breakpointLocations": "breakpoints: [BreakpointLocation]",
    "cancel": "",
    "restart": "",
    "disconnect": "",
    "terminate": "",
}
EVENTS = {
    "initialized": "",
    "stopped": "reason: string, description?: string, threadId?: integer, preserveFocusHint?: boolean, text?: string, allThreadsStopped?: boolean, hitBreakpointIds?: [integer]",
    "continued": "threadId: integer, allThreadsContinued?: boolean",
    "exited": "exitCode: integer",
    "terminated": "restart?: any",
    "output": "category?: string, output: string, group?: start|startCollapsed|end, variablesReference?: integer, source?: Source, line?: integer, column?: integer, data?: any, locationReference?: integer",
    "breakpoint": "reason: string, breakpoint: Breakpoint",
    "module": "reason: new|changed|removed, module: Module",
    "progressStart": "progressId: string, title: string, requestId?: integer, cancellable?: boolean, message?: string, percentage?: number",
    "progressUpdate": "progressId: string, message?: string, percentage?: number",
    "progressEnd": "progressId: string, message?: string",
    "invalidated": "areas?: [string], threadId?: integer, stackFrameId?: integer",
    "memory": "memoryReference: string, offset: integer, count: integer",
    "thread": "reason: string, threadId: integer",
    "capabilities": "capabilities: Capabilities",
    "loadedSource": "reason: new|changed|removed, source: Source",
    "process": "name: string, systemProcessId?: integer, isLocalProcess?: boolean, startMethod?: launch|attach|attachForSuspendedLaunch, pointerSize?: integer",
}
TYPES = {
    "Breakpoint": "id?: integer, verified: boolean, message?: string, source?: Source, line?: integer, column?: integer, endLine?: integer, endColumn?: integer, instructionReference?: string, offset?: integer, reason?: pending|failed",
    "Thread": "id: integer, name: string",
    "StackFrame": "id: integer, name: string, source?: Source, line: integer, column: integer, endLine?: integer, endColumn?: integer, canRestart?: boolean, instructionPointerReference?: string, moduleId?: id, presentationHint?: normal|label|subtle",
    "Scope": "name: string, presentationHint?: string, variablesReference: integer, namedVariables?: integer, indexedVariables?: integer, expensive: boolean, source?: Source, line?: integer, column?: integer, endLine?: integer, endColumn?: integer",
    "Variable": "name: string, value: string, type?: string, presentationHint?: VariablePresentationHint, evaluateName?: string, variablesReference: integer, namedVariables?: integer, indexedVariables?: integer, memoryReference?: string, declarationLocationReference?: integer, valueLocationReference?: integer",
    "VariablePresentationHint": "kind?: string, attributes?: [string], visibility?: string, lazy?: boolean",
    "StepInTarget": "id: integer, label: string, line?: integer, column?: integer, endLine?: integer, endColumn?: integer",
    "CompletionItem": "label: string, text?: string, sortText?: string, detail?: string, type?: method|function|constructor|field|variable|class|interface|module|property|unit|value|enum|keyword|snippet|text|color|file|reference|customcolor, start?: integer, length?: integer, selectionStart?: integer, selectionLength?: integer",
    "ExceptionDetails": "message?: string, typeName?: string, fullTypeName?: string, evaluateName?: string, stackTrace?: string, innerException?: [ExceptionDetails]",
    "DisassembledInstruction": "address: string, instructionBytes?: string, instruction: string, symbol?: string, location?: Source, line?: integer, column?: integer, endLine?: integer, endColumn?: integer, presentationHint?: normal|invalid",
    "Module": "id: id, name: string, path?: string, isOptimized?: boolean, isUserCode?: boolean, version?: string, symbolStatus?: string, symbolFilePath?: string, dateTimeStamp?: string, addressRange?: string",
    "Source": "name?: string, path?: string, sourceReference?: integer, presentationHint?: normal|emphasize|deemphasize, origin?: string, sources?: [Source], adapterData?: any, checksums?: [Checksum]",
    "BreakpointLocation": "line: integer, column?: integer, endLine?: integer, endColumn?: integer",
    "Capabilities": "supportsConfigurationDoneRequest?: boolean, supportsFunctionBreakpoints?: boolean, supportsConditionalBreakpoints?: boolean, supportsHitConditionalBreakpoints?: boolean, supportsEvaluateForHovers?: boolean, exceptionBreakpointFilters?: [ExceptionBreakpointsFilter], supportsStepBack?: boolean, supportsSetVariable?: boolean, supportsRestartFrame?: boolean, supportsGotoTargetsRequest?: boolean, supportsStepInTargetsRequest?: boolean, supportsCompletionsRequest?: boolean, completionTriggerCharacters?: [string], supportsModulesRequest?: boolean, additionalModuleColumns?: [ColumnDescriptor], supportedChecksumAlgorithms?: [MD5|SHA1|SHA256|timestamp], supportsRestartRequest?: boolean, supportsExceptionOptions?: boolean, supportsValueFormattingOptions?: boolean, supportsExceptionInfoRequest?: boolean, supportTerminateDebuggee?: boolean, supportSuspendDebuggee?: boolean, supportsDelayedStackTraceLoading?: boolean, supportsLoadedSourcesRequest?: boolean, supportsLogPoints?: boolean, supportsTerminateThreadsRequest?: boolean, supportsSetExpression?: boolean, supportsTerminateRequest?: boolean, supportsDataBreakpoints?: boolean, supportsReadMemoryRequest?: boolean, supportsWriteMemoryRequest?: boolean, supportsDisassembleRequest?: boolean, supportsCancelRequest?: boolean, supportsBreakpointLocationsRequest?: boolean, supportsClipboardContext?: boolean, supportsSteppingGranularity?: boolean, supportsInstructionBreakpoints?: boolean, supportsExceptionFilterOptions?: boolean, supportsSingleThreadExecutionRequests?: boolean, supportsDataBreakpointBytes?: boolean, breakpointModes?: [BreakpointMode], supportsANSIStyling?: boolean",
    "Checksum": "algorithm: MD5|SHA1|SHA256|timestamp, checksum: string",
    "ExceptionBreakpointsFilter": "filter: string, label: string, description?: string, default?: boolean, supportsCondition?: boolean, conditionDescription?: string",
    "ColumnDescriptor": "attributeName: string, label: string, format?: string, type?: string|number|boolean|unixTimestampUTC, width?: integer",
    "BreakpointMode": "mode: string, label: string, description?: string, appliesTo: [string]",
}
OPTIONAL_BODY = ("initialize", "setExceptionBreakpoints", "writeMemory")
# Each capability that has a request of its own.
CAPABILITIES = {
    "supportsConfigurationDoneRequest": "configurationDone",
    "supportsFunctionBreakpoints": "setFunctionBreakpoints",
    "supportsSetVariable": "setVariable",
    "supportsSetExpression": "setExpression",
    "supportsRestartFrame": "restartFrame",
    "supportsGotoTargetsRequest": "gotoTargets",
    "supportsStepInTargetsRequest": "stepInTargets",
    "supportsCompletionsRequest": "completions",
    "supportsModulesRequest": "modules",
    "supportsRestartRequest": "restart",
    "supportsExceptionInfoRequest": "exceptionInfo",
    "supportsLoadedSourcesRequest": "loadedSources",
    "supportsTerminateThreadsRequest": "terminateThreads",
    "supportsTerminateRequest": "terminate",
    "supportsDataBreakpoints": "setDataBreakpoints",
    "supportsReadMemoryRequest": "readMemory",
    "supportsWriteMemoryRequest": "writeMemory",
    "supportsDisassembleRequest": "disassemble",
    "supportsCancelRequest": "cancel",
    "supportsBreakpointLocationsRequest": "breakpointLocations",
    "supportsInstructionBreakpoints": "setInstructionBreakpoints",
    "supportsStepBack": "stepBack",
}
EXTRA = {"cldbg", "buildOptions"}  # fields of our own, which the protocol allows
BASIC = {"string": str, "boolean": bool, "id": (int, str), "object": dict}


def fits(value, kind):
    """What is wrong with a value of this type, or None."""
    if kind in ("any", "string or null"):
        return None if kind == "any" or value is None or isinstance(value, str) else "no string or null"
    if kind in ("integer", "number"):
        good = isinstance(value, int) and not isinstance(value, bool) or kind == "number" and isinstance(value, float)
    elif kind in BASIC:
        good = isinstance(value, BASIC[kind])
    elif kind[0] == "[":
        if not isinstance(value, list):
            return "no list"
        return next((f"[{i}]: {wrong}" for i, x in enumerate(value) if (wrong := fits(x, kind[1:-1]))), None)
    elif kind in TYPES:
        return wrong_fields(value, TYPES[kind])
    else:
        good = value in kind.split("|")
    return None if good else f"{value!r} is not of type {kind}"


def wrong_fields(value, fields):
    if not isinstance(value, dict):
        return "no object"
    known = dict(re.findall(r"(\S+): ([^,]+)", fields))
    for key, kind in known.items():
        name = key.rstrip("?")
        if name not in value:
            if name == key:
                return f"{name} is missing"
        elif wrong := fits(value[name], kind):
            return f"{name}: {wrong}"
    return next((f"{name} is not of the protocol" for name in value if name not in EXTRA and name not in known and name + "?" not in known), None)


def wrong_by_schema(message, definition):
    import jsonschema
    with open(os.environ["CLDBG_DAP_SCHEMA"], encoding="utf-8") as f:
        schema = json.load(f)
    errors = jsonschema.Draft4Validator(dict(schema, **{"$ref": "#/definitions/" + definition})).iter_errors(message)
    return next((f"{list(e.path)}: {e.message}" for e in errors), None)


def properties(schema, at):
    """The properties of a definition of the schema, and the names of the required ones."""
    found, required = dict(at.get("properties", {})), set(at.get("required", []))
    for part in at.get("allOf", []) + ([schema[at["$ref"].split("/")[-1]]] if "$ref" in at else []):
        more, needed = properties(schema, part)
        for name, x in more.items():
            found[name] = {**found[name], **x} if name in found else x
        required |= needed
    return found, required


def type_in(schema, at):
    """The type of a property, as a type of the tables."""
    if "$ref" in at:
        name = at["$ref"].split("/")[-1]
        return "|".join(schema[name]["enum"]) if "enum" in schema[name] else "string" if schema[name].get("type") == "string" else name
    kind = at.get("type")
    if isinstance(kind, list):
        return "id" if set(kind) == {"integer", "string"} else " or ".join(kind) if len(kind) < 4 else "any"
    return "|".join(at["enum"]) if "enum" in at else f"[{type_in(schema, at['items'])}]" if kind == "array" else kind


def differences(path):
    """Where the tables differ from a copy of the schema."""
    with open(path, encoding="utf-8") as f:
        schema = json.load(f)["definitions"]
    body = lambda name: properties(schema, schema[name])[0].get("body", {})
    rows = [(name, fields, schema[name]) for name, fields in TYPES.items()]
    rows += [(name, TYPES.get(fields, fields), body(name[0].upper() + name[1:] + what)) for what, table in (("Event", EVENTS), ("Response", RESPONSES)) for name, fields in table.items()]
    out = []
    for name, fields, at in rows:
        ours = {key.rstrip("?"): (kind, key[-1] != "?") for key, kind in re.findall(r"(\S+): ([^,]+)", fields)}
        found, required = properties(schema, at)
        theirs = {key: (type_in(schema, x), key in required) for key, x in found.items()}
        out += [f"{name}.{key}: {ours.get(key)}, in the schema {theirs.get(key)}" for key in sorted(ours.keys() | theirs.keys()) if ours.get(key) != theirs.get(key)]
    return out


def wrong(message):
    """What is wrong with a message of an adapter, or None."""
    name = message.get("event" if message["type"] == "event" else "command")
    table = EVENTS if message["type"] == "event" else RESPONSES
    failed = message["type"] == "response" and not message.get("success")
    fields = "error: object" if failed else table.get(name)
    head = "seq: integer, type: event|response, " + ("event: string" if message["type"] == "event" else "request_seq: integer, command: string, success: boolean, message?: string")
    found = wrong_fields({k: v for k, v in message.items() if k != "body"}, head)
    if not found and fields is None:
        found = f"{name} is not known"
    if not found and ("body" in message or fields and name not in OPTIONAL_BODY):
        found = wrong_fields(message.get("body", {}), TYPES.get(fields, fields))
    if not found and failed:
        found = wrong_fields(message["body"]["error"], "id: integer, format: string")
    if not found and os.environ.get("CLDBG_DAP_SCHEMA"):
        found = wrong_by_schema(message, "ErrorResponse" if failed else name[0].upper() + name[1:] + message["type"].capitalize())
    return found
