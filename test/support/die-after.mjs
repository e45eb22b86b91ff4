// What if the machine took orch away right after it wrote something down? Loaded before it (`--import`),
// this kills the process as soon as an event of a kind is safely in the log of its run.
//
// ORCH_TEST_DIE_AFTER names the kind. Processes that write no such log live on.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const kind = process.env.ORCH_TEST_DIE_AFTER;
const flushed = fs.fdatasyncSync;

fs.fdatasyncSync = (fd) => {
  flushed(fd);
  const path = fs.readlinkSync(`/proc/self/fd/${fd}`);
  if (path.endsWith("/events.jsonl") && newestKind(path) === kind)
    process.kill(process.pid, "SIGKILL");
};
if (kind !== undefined) syncBuiltinESMExports();

function newestKind(path) {
  const line = fs.readFileSync(path, "utf8").trimEnd().split("\n").at(-1);
  return JSON.parse(line).type;
}
