#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Is a file SARIF 2.1.0 as code scanning services want it? The rules are those of the standard's text (section
numbers in brackets) and of GitHub's list of what it reads. Every object may have only the members that the standard
gives it. usage: sarif.py FILE… ; says what is wrong, exit status 1.
Beyond these, what Microsoft's sarif-multitool warns of (npm: @microsoft/sarif-multitool; `validate FILE` is silent).
SARIF_SCHEMA=FILE names the standard's own JSON schema: files are then held against that, too (python3-jsonschema)."""
import json
import os
import re
import sys

ID = re.compile(r"[a-z0-9-]+\Z")
# The members of each kind of object that we may use; the type of each.
SHAPES = {
    "log": {"$schema": str, "version": str, "runs": ["run"]},  # [3.13]
    "run": {"tool": "tool", "invocations": ["invocation"], "columnKind": str, "artifacts": ["artifact"], "results": ["result"],
            "automationDetails": "details", "originalUriBaseIds": dict},  # [3.14]
    "tool": {"driver": "driver"},
    "driver": {"name": str, "version": str, "semanticVersion": str, "fullName": str, "informationUri": str, "rules": ["rule"]},
    "details": {"id": str},
    "invocation": {"executionSuccessful": bool, "commandLine": str, "toolExecutionNotifications": ["notification"]},
    "notification": {"level": str, "message": "text"},
    "artifact": {"location": "artifactLocation", "sourceLanguage": str, "contents": "text"},
    "artifactLocation": {"uri": str, "uriBaseId": str, "index": int},
    "text": {"text": str, "markdown": str},
    "rule": {"id": str, "name": str, "shortDescription": "text", "fullDescription": "text", "help": "text",
             "defaultConfiguration": "configuration", "properties": dict},
    "configuration": {"level": str},
    "result": {"ruleId": str, "ruleIndex": int, "kind": str, "level": str, "message": "text", "locations": ["location"],
               "relatedLocations": ["location"], "partialFingerprints": dict, "baselineState": str, "properties": dict},
    "location": {"id": int, "physicalLocation": "physicalLocation", "logicalLocations": ["logicalLocation"], "message": "text"},
    "physicalLocation": {"artifactLocation": "artifactLocation", "region": "region"},
    "logicalLocation": {"name": str, "kind": str},
    "region": {"startLine": int, "startColumn": int, "endColumn": int, "snippet": "text"},
}
NEEDED = {
    "log": ["$schema", "version", "runs"], "run": ["tool", "results"], "tool": ["driver"], "driver": ["name", "rules", "informationUri"],
    "invocation": ["executionSuccessful"], "artifact": ["location"], "artifactLocation": ["uri"], "text": ["text"],
    "rule": ["id", "shortDescription", "fullDescription", "help", "defaultConfiguration"], "configuration": ["level"],
    "result": ["ruleId", "ruleIndex", "level", "message", "locations", "partialFingerprints"],
    "location": ["physicalLocation"], "physicalLocation": ["artifactLocation"], "region": ["startLine"],
}
wrong = []


def fail(where, what):
    wrong.append(f"{where}: {what}")


def shape(value, kind, where):
    """value has the form of `kind`: a name of SHAPES, [name] or a type of Python."""
    if isinstance(kind, list):
        if not isinstance(value, list):
            return fail(where, "is no list")
        for i, v in enumerate(value):
            shape(v, kind[0], f"{where}[{i}]")
    elif isinstance(kind, str):
        if not isinstance(value, dict):
            return fail(where, "is no object")
        for key, v in value.items():
            if key not in SHAPES[kind]:
                fail(where, f"the standard gives {kind} no member {key}")
            else:
                shape(v, SHAPES[kind][key], f"{where}.{key}")
        for key in NEEDED.get(kind, []):
            if key not in value:
                fail(where, f"lacks {key}")
    elif not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        fail(where, f"is no {kind.__name__}")


def check_artifact_location(run, l, where):
    uri = l["uri"]
    if re.search(r"[^A-Za-z0-9._~/!$&'()*+,;=@:%-]", uri) or re.search(r"%(?![0-9A-F]{2})", uri):
        fail(where, f"{uri} is no URI [RFC 3986]")
    if "uriBaseId" in l:
        if l["uriBaseId"] not in run.get("originalUriBaseIds", {}):
            fail(where, "an unknown uriBaseId")
        if uri.startswith("/") or ":" in uri or ".." in uri.split("/"):
            fail(where, f"{uri} is not relative, though it has a base")  # [3.4.4]
    artifacts = run.get("artifacts", [])
    if "index" in l and not (0 <= l["index"] < len(artifacts) and artifacts[l["index"]]["location"]["uri"] == uri):
        fail(where, "index is not that of its artifact")  # [3.4.5]


def check_location(run, l, where):
    check_artifact_location(run, l["physicalLocation"]["artifactLocation"], where)
    r = l["physicalLocation"].get("region", {})
    if r.get("startLine", 1) < 1 or r.get("startColumn", 1) < 1:
        fail(where, "lines and columns count from 1")
    if "endColumn" in r and r["endColumn"] <= r.get("startColumn", 1):
        fail(where, "the region ends before it begins")
    if "snippet" in r and r.get("endColumn", 1) > len(r["snippet"]["text"]) + 1:
        fail(where, "the region is longer than its line")


def check_result(run, rules, r, where):
    if not 0 <= r["ruleIndex"] < len(rules) or rules[r["ruleIndex"]]["id"] != r["ruleId"]:
        fail(where, "ruleIndex is not that of ruleId")  # [3.27.6]
    if r["level"] not in ("error", "warning", "note", "none"):
        fail(where, "level")
    if r.get("baselineState", "new") not in ("new", "unchanged", "updated", "absent"):
        fail(where, "baselineState")
    if not r["message"]["text"].strip():
        fail(where, "an empty message")
    for i, l in enumerate(r["locations"]):
        check_location(run, l, f"{where}.locations[{i}]")
    related = r.get("relatedLocations", [])
    for i, l in enumerate(related):
        check_location(run, l, f"{where}.relatedLocations[{i}]")
        if "message" not in l:
            fail(where, "a related location without message is not shown")
    if len({l.get("id") for l in related}) != len(related):
        fail(where, "related locations need ids of their own")  # [3.28.2]
    if (r.get("kind", "fail") == "fail") != (r["level"] != "none"):
        fail(where, "a level without a failure")  # [3.27.10]
    if not all(isinstance(v, str) and v for v in r["partialFingerprints"].values()):
        fail(where, "fingerprints are texts")
    if list(r["partialFingerprints"]) != ["cldbg/v1"] or not re.fullmatch(r"[0-9a-f]{16}:[1-9][0-9]*", r["partialFingerprints"]["cldbg/v1"]):
        fail(where, "the fingerprint cldbg/v1 alone: primaryLocationLineHash is GitHub's own, of another hash")


def check_rule(r, where):
    if not ID.match(r["id"]):
        fail(where, "id")
    if r.get("name", "").lower() == r["id"]:
        fail(where, "a name that is the id")  # SARIF1001 of Microsoft's multitool
    if len(r.get("name", "")) > 255 or len(r["shortDescription"]["text"]) > 1024 or len(r["fullDescription"]["text"]) > 1024:
        fail(where, "longer than GitHub takes")
    if "markdown" not in r["help"] or "```" not in r["help"]["markdown"] and not r["id"].startswith("proof-"):
        fail(where, "help in Markdown with an example")
    if r["defaultConfiguration"]["level"] not in ("error", "warning", "note", "none"):
        fail(where, "level")


def check(log):
    shape(log, "log", "log")
    if wrong:
        return
    if log["version"] != "2.1.0" or "sarif-2.1.0" not in log["$schema"]:
        fail("log", "version")
    if len(log["runs"]) > 20:
        fail("log", "more runs than GitHub takes")
    for n, run in enumerate(log["runs"]):
        where = f"runs[{n}]"
        rules = run["tool"]["driver"]["rules"]
        for i, r in enumerate(rules):
            check_rule(r, f"{where}.rules[{i}]")
        if len({r["id"] for r in rules}) != len(rules):
            fail(where, "two rules have one id")
        if run.get("columnKind", "utf16CodeUnits") not in ("utf16CodeUnits", "unicodeCodePoints"):
            fail(where, "columnKind")
        for base, l in run.get("originalUriBaseIds", {}).items():
            if not l["uri"].startswith("file:///") or not l["uri"].endswith("/"):
                fail(where, f"{base} must be absolute and end with /")  # [3.14.14]
        for i, a in enumerate(run.get("artifacts", [])):
            check_artifact_location(run, a["location"], f"{where}.artifacts[{i}]")
        if len(run["results"]) > 25000:
            fail(where, "more results than GitHub takes")
        for i, r in enumerate(run["results"]):
            check_result(run, rules, r, f"{where}.results[{i}]")
        prints = [r["partialFingerprints"]["cldbg/v1"] for r in run["results"]]
        if len(set(prints)) != len(prints):
            fail(where, "two results have one fingerprint")



def against_schema(log, path):
    import jsonschema
    with open(path, encoding="utf-8") as f:
        schema = json.load(f)
    for e in jsonschema.validators.validator_for(schema)(schema).iter_errors(log):
        fail("/".join(str(p) for p in e.absolute_path), e.message)


for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as f:
        log = json.load(f)
    check(log)
    if os.environ.get("SARIF_SCHEMA"):
        against_schema(log, os.environ["SARIF_SCHEMA"])
if wrong or len(sys.argv) < 2:
    print("\n".join(wrong) or __doc__)
    sys.exit(1)
