// Who sits at this computer, for the record of answers?

import { userInfo } from "node:os";

const NAME_CHARS_MAX = 60;

export function userName(): string {
  try {
    return userInfo().username.slice(0, NAME_CHARS_MAX);
  } catch {
    // A user without an entry in the system's list, as in some containers.
    return "unknown user";
  }
}
