// Which browser do tests look at pages with?

import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";

const PROGRAMS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Chromium of the system, or the one that ORCH_CHROMIUM names. */
export function openBrowser(): Promise<Browser> {
  const executablePath = process.env["ORCH_CHROMIUM"] ?? PROGRAMS.find((path) => existsSync(path));
  if (executablePath === undefined)
    throw new Error("there is no Chromium: install it, or name it in ORCH_CHROMIUM");
  return chromium.launch({ executablePath, args: ["--no-sandbox"] });
}
