// Which view is open, and what is said beside all of them?

import { signal } from "@preact/signals";
import { render } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { isConnected, listen, live, notice } from "./data.ts";
import { Mark, runLink, taskLink } from "./parts.tsx";
import { Questions } from "./question.tsx";
import { RunView } from "./run.tsx";
import { RunsView } from "./runs.tsx";
import { StatsView } from "./stats.tsx";
import { TaskView } from "./task.tsx";

const placeNow = (): readonly string[] => location.hash.slice(2).split("/").map(decodeURIComponent);
const place = signal(placeNow());

const VIEWS = [
  ["", "Live"],
  ["runs", "Runs"],
  ["stats", "Statistics"],
] as const;

function Page() {
  const [view = "", run = "", task = ""] = place.value;
  const main = useRef<HTMLElement>(null);
  // Who reads by ear, or walks by keys, begins at the top of what was opened.
  useEffect(() => main.current?.focus({ preventScroll: true }), [view, run, task]);
  const waiting = (live.value ?? []).flatMap(({ questions }) => questions).length;
  const words = waiting === 0 ? "" : `${waiting} waiting for you`;
  document.title = words === "" ? "orch" : `(${waiting}) orch`;
  return (
    <>
      <header>
        <nav aria-label="views">
          {VIEWS.map(([name, title]) => (
            <a key={name} href={`#/${name}`} aria-current={view === name ? "page" : undefined}>
              {title}
            </a>
          ))}
        </nav>
        <p role="status">
          {isConnected.value ? words : "the connection is lost; it is tried again"}
        </p>
        <p role="status">{notice.value}</p>
      </header>
      <main ref={main} tabIndex={-1}>
        {view === "runs" && run === "" && <RunsView />}
        {view === "runs" && run !== "" && task === "" && <RunView run={run} />}
        {view === "runs" && task !== "" && <TaskView run={run} task={task} />}
        {view === "stats" && <StatsView />}
        {view === "" && <LiveView />}
      </main>
    </>
  );
}

function LiveView() {
  const runs = live.value;
  const questions = (runs ?? []).flatMap((one) => one.questions);
  return (
    <>
      <h1>Live</h1>
      {runs === null && <p class="quiet">loading …</p>}
      {runs?.length === 0 && <p class="quiet">Nothing runs, and nothing waits for you.</p>}
      <Questions questions={questions} />
      {runs?.map(({ run, id, title, heading, rows }) => (
        <section key={run} class="run">
          <h2>
            <a href={runLink(run)}>{title}</a>
          </h2>
          <p class="quiet">
            {id} · {heading}
          </p>
          <ul class="tasks">
            {rows.map((row) => (
              <li key={row.task}>
                <Mark mark={row.mark} tone={row.tone} />{" "}
                <a href={taskLink(run, row.task)}>{row.task}</a> {row.doing}
                <div class="quiet">{row.facts.join(" · ")}</div>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

addEventListener("hashchange", () => (place.value = placeNow()));
listen();
const root = document.getElementById("page");
if (root !== null) render(<Page />, root);
