// What do git's settings say, and how are they written down again?

import { gitList, type Git, type GitSetting } from "./git.ts";

/** From all files that git reads, included ones too, in their order; to list them obeys none of them. */
export async function listSettings(git: Git): Promise<readonly GitSetting[]> {
  const parts = await gitList(git, ["config", "--list", "--show-scope", "--show-origin", "-z"]);
  const settings: GitSetting[] = [];
  for (let at = 0; at + 2 < parts.length; at += 3) {
    const [scope = "", origin = "", setting = ""] = parts.slice(at, at + 3);
    // Others are what orch, or the user's environment, says itself.
    if (!origin.startsWith("file:")) continue;
    const end = setting.indexOf("\n");
    const [key, value] =
      end < 0 ? [setting, null] : [setting.slice(0, end), setting.slice(end + 1)];
    settings.push({ scope, file: origin.slice("file:".length), key, value });
  }
  return settings;
}

/** As a file of git's. */
export function settingsText(settings: readonly Pick<GitSetting, "key" | "value">[]): string {
  return settings.map(({ key, value }) => `${settingLine(key, value)}\n`).join("");
}

function settingLine(key: string, value: string | null): string {
  const [from, to] = [key.indexOf("."), key.lastIndexOf(".")];
  const part = from === to ? "" : ` ${quotedSetting(key.slice(from + 1, to))}`;
  const end = value === null ? "" : ` = ${quotedSetting(value)}`;
  return `[${key.slice(0, from)}${part}]\n\t${key.slice(to + 1)}${end}`;
}

function quotedSetting(text: string): string {
  return `"${text.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}"`;
}
