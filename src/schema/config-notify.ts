// Who is told, outside the terminal, that a question waits or that the run is over?

import { z } from "zod";

import type { NotifySettings } from "../core/model/settings.ts";
import { httpUrl, line, variableName } from "./fields.ts";
import { group, key, needed } from "./key.ts";

const URL_CHARS_MAX = 2_000;
const HEADER_CHARS_MAX = 100;

const HEADER_WORDS = 'expected the name of a header, like "Authorization" or "X-Token"';
const headerName = z
  .string()
  .max(HEADER_CHARS_MAX, { error: HEADER_WORDS })
  .regex(/^[\w!#$%&'*+.^`|~-]+$/, { error: HEADER_WORDS });

const address = httpUrl.max(URL_CHARS_MAX, {
  error: `expected at most ${URL_CHARS_MAX} characters`,
});

export const notifyShape = z
  .strictObject({
    command: key(line, "A line for the shell; the record is its standard input.", "none"),
    url: key(address, "An http or https address that gets the record as a POST.", "none"),
    header: group({
      name: needed(headerName, "A header of that request.", "none"),
      env: needed(variableName, "The environment variable that holds the header's value.", "none"),
    }),
  })
  // An address from a variable that is not set is a choice, and tells nobody.
  .refine((notify) => notify.header === undefined || "url" in notify, {
    path: ["header"],
    error: "`header` needs a `url`",
  });

export function notifyOf(written: z.infer<typeof notifyShape>): NotifySettings {
  const { command = null, url = null, header } = written;
  return {
    command,
    url,
    header: header === undefined ? null : { name: header.name, variable: header.env },
  };
}
