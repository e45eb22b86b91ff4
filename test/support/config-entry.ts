// Loads the config of the working folder in plain Node, whose loader the test runner replaces by its own.

import { loadConfig } from "../../src/adapters/project/config-loader.ts";
import { OrchError } from "../../src/errors.ts";

try {
  const { settings } = await loadConfig(process.cwd());
  console.log(JSON.stringify({ level: settings.level }));
} catch (error) {
  if (!(error instanceof OrchError)) throw error;
  console.log(JSON.stringify({ code: error.code, message: error.message, hint: error.hint }));
}
