"""JUnit's XML, as Jenkins' schema has it: a suite a file, a failed test a finding, so that any CI shows them."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from itertools import groupby

from compile_lint.findings import FileError, Finding
from compile_lint.report.run import Run
from compile_lint.report.words import clean, one_line, reach, title

_NAME = "compile-lint"


def render(run: Run) -> str:
    """The whole document. All of it is ASCII: letters beyond it are character references."""
    errors = [error for error in run.errors if error.fatal]
    counts = {"failures": str(len(run.findings)), "errors": str(len(errors))}
    tests = str(len(run.findings) + len(errors) or 1)
    suites = ET.Element("testsuites", {"name": _NAME, "tests": tests, **counts, "time": "0.000"})
    for path, group in groupby(run.findings, key=lambda finding: finding.path):
        _suite(suites, one_line(run.named(path)), list(group))
    if errors:
        _errors(suites, errors)
    if not len(suites):
        # a report without a test is an error to some readers
        suite = _element(suites, _NAME, 1, 0, 0)
        ET.SubElement(suite, "testcase", {"name": "No findings", "classname": _NAME, "time": "0.000"})
    ET.indent(suites)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(suites, encoding="us-ascii").decode("ascii")}\n'


def _suite(suites: ET.Element, path: str, findings: list[Finding]) -> None:
    suite = _element(suites, path, len(findings), len(findings), 0)
    suite.set("file", path)
    for finding in findings:
        name = f"{title(finding)} {finding.line}:{finding.column}"
        case = ET.SubElement(suite, "testcase", {"name": name, "classname": path, "time": "0.000"})
        failure = ET.SubElement(case, "failure", {"type": finding.kind, "message": one_line(finding.message)})
        failure.text = _body(path, finding)


def _body(path: str, finding: Finding) -> str:
    parts = [f"{path}:{finding.line}:{finding.column}: {finding.code} {clean(finding.message)}"]
    for label, text in (("why", finding.why), ("in", reach(finding)), ("instead", finding.instead)):
        if text.strip():
            parts.append(f"{label}: {clean(text)}")
    return "\n".join(parts)


def _errors(suites: ET.Element, errors: list[FileError]) -> None:
    suite = _element(suites, f"{_NAME} errors", len(errors), 0, len(errors))
    for error in errors:
        path = one_line(error.path)
        case = ET.SubElement(suite, "testcase", {"name": path, "classname": path, "time": "0.000"})
        ET.SubElement(case, "error", {"type": "error", "message": one_line(error.message)})


def _element(suites: ET.Element, name: str, tests: int, failures: int, errors: int) -> ET.Element:
    counts = {"tests": str(tests), "failures": str(failures), "errors": str(errors), "skipped": "0"}
    return ET.SubElement(suites, "testsuite", {"name": name, **counts, "time": "0.000"})
