// How does a notice read as a message, and what does each service want to be sent of it?

import { clip } from "../../core/model/excerpt.ts";
import { optionsOf, type Question } from "../../core/model/question.ts";
import type { NotifySettings } from "../../core/model/settings.ts";
import type { RunResult, TaskResult } from "../../core/views/run-view.ts";

/** What people are notified of. */
export type Notice =
  | {
      readonly type: "question";
      readonly run: string;
      readonly question: Question;
      /** Command lines that answer it. */
      readonly answerWith: readonly string[];
    }
  | {
      readonly type: "end";
      readonly result: Pick<RunResult, "run" | "outcome" | "exitCode"> & {
        readonly tasks: readonly Pick<TaskResult, "id" | "title" | "phase" | "reason">[];
      };
    };

/** `safe` redacts and shortens; what can be done stands before what may be cut off. */
export function messageOf(notice: Notice, safe: (text: string) => string) {
  if (notice.type === "question") {
    const { question: asked, answerWith } = notice;
    const options = optionsOf(asked).map((option, index) => `${index + 1}. ${option}`);
    const lines = [clip(safe(asked.question), 1_000), ...answerWith.slice(0, 5), ...options];
    return { title: safe(`orch: ${asked.task} asks`), text: safe(lines.join("\n")) };
  }
  const { outcome, tasks } = notice.result;
  const lines = tasks.map(({ id, phase, reason }) => [`${id}: ${phase}`, reason ?? []].flat());
  return { title: `orch: ${outcome}`, text: safe(lines.map((line) => line.join(", ")).join("\n")) };
}

type Payload = (
  message: ReturnType<typeof messageOf> & { readonly type?: unknown },
  to: { readonly url: string; readonly chat: string | null },
) => { readonly url: string; readonly body: object };

/** Where one is sent, and as what. No text of an agent's calls for anybody, or hides a link. */
export const PAYLOADS: { readonly [To in NonNullable<NotifySettings["to"]>]: Payload | null } = {
  slack: ({ title, text }, { url }) => {
    const escaped = `${title}\n${text}`.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
    return { url, body: { text: escaped.replaceAll(">", "&gt;") } };
  },
  discord: ({ title, text }, { url }) => {
    const content = clip(`${title}\n${text}`.replaceAll("[", "\\["), 2_000);
    return { url, body: { content, allowed_mentions: { parse: [] } } };
  },
  // JSON goes to the server itself; a header would hold no text of every script.
  ntfy: ({ type, title, text: message }, { url }) => {
    const [, server = url, topic = ""] = /^(.*\/)([^/]+)\/?$/.exec(url) ?? [];
    const [priority, tag] = type === "question" ? [4, "question"] : [3, "checkered_flag"];
    return { url: server, body: { topic, title, message, priority, tags: [tag] } };
  },
  telegram: ({ title, text }, { url, chat }) => ({
    url,
    body: { chat_id: chat, text: `${title}\n${text}` },
  }),
  // An address beside it gets the record.
  desktop: null,
};

/** For the system shell, which finds both texts in its environment. */
export function desktopLine(platform: string): string {
  if (platform !== "darwin") return 'notify-send --app-name=orch -- "$ORCH_TITLE" "$ORCH_TEXT"';
  const script = "display notification (item 2 of argv) with title (item 1 of argv)";
  return `osascript -e 'on run argv' -e '${script}' -e 'end run' -- "$ORCH_TITLE" "$ORCH_TEXT"`;
}
