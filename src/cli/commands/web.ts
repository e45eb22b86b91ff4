// How are all runs looked at in a browser?

import { join } from "node:path";

import { runProgram } from "../../adapters/process/run-program.ts";
import { packageFolder } from "../../adapters/project/package-folder.ts";
import { requireRuns } from "../../adapters/log/run-reader.ts";
import { startWeb } from "../../web/server.ts";
import { type Command, usage } from "../command-line/options.ts";
import { type CliIo, printErr, printOut } from "../io.ts";
import { webData } from "../web/data.ts";
import { refuseInsideSession } from "./inside-session.ts";

const DEFAULT_PORT = 4242;

export const webCommand: Command = async (_args, given, io) => {
  const { root } = requireRuns(io.cwd);
  refuseInsideSession(io.env, "orch web", root);
  const port = given.port === undefined ? DEFAULT_PORT : Number(given.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw usage(`--port is ${JSON.stringify(given.port)}`, "name a number from 0 to 65535");
  const assets = join(packageFolder(), "dist", "web");
  const server = await startWeb({ data: webData(root, io), port, assets });
  printOut(io, server.link);
  printErr(io, "only from this machine; Ctrl+C ends it");
  if (given.open === true) await openInBrowser(server.link, io);
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.once(signal, () => resolve());
    io.readerGone.addEventListener("abort", () => resolve());
  });
  await stopped;
  await server.close();
  return 0;
};

/** Where there is none the link is on the screen. */
async function openInBrowser(link: string, { cwd, env }: CliIo): Promise<void> {
  const program = process.platform === "darwin" ? "open" : "xdg-open";
  await runProgram(program, [link], { cwd, env, timeoutMs: 10_000 });
}
