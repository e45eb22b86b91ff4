// What does a runner's machine-readable report say?

import type { Check } from "../../core/model/checks.ts";
import { isObject, jsonIn, listAt, nameAt } from "../../core/model/json.ts";
import type { Failure } from "./tool.ts";

export type ReportForm = "junit" | "tap" | "go-json" | "jest-json" | "rspec-json";

export interface Report {
  readonly checks: readonly Check[];
  readonly failures: readonly Failure[];
  readonly ended: boolean;
}

export function formOf(text: string): ReportForm | null {
  return text.startsWith("<") ? "junit" : text.startsWith("{") ? "jest-json" : null;
}

export function readReport(form: ReportForm, text: string): Report | null {
  if (form === "junit") {
    const checks = [
      ...text.matchAll(
        /<testcase [^>]*?name="([^"]*)"[^>]*?(\/?)>([^]*?)(?=<testcase|<\/testsuite)/g,
      ),
    ].map((m): Check => ({
      name: m[1] ?? "",
      state: /<(failure|error)/.test(m[3] ?? "")
        ? "failed"
        : /<skipped/.test(m[3] ?? "")
          ? "skipped"
          : "passed",
    }));
    return text.trimEnd().endsWith(">")
      ? { checks, failures: [], ended: /<\/testsuites?>\s*$/.test(text) }
      : null;
  }
  const value = jsonIn(text);
  if (!isObject(value)) return null;
  const checks = listAt(value, "testResults").flatMap((file) =>
    isObject(file)
      ? listAt(file, "assertionResults").flatMap((one): Check[] =>
          isObject(one)
            ? [
                {
                  name: nameAt(one, "fullName"),
                  state:
                    nameAt(one, "status") === "passed"
                      ? "passed"
                      : nameAt(one, "status") === "failed"
                        ? "failed"
                        : "skipped",
                },
              ]
            : [],
        )
      : [],
  );
  return { checks, failures: [], ended: true };
}
