// What was tried for a task, why was it decided so, and what did it change?

import { useState } from "preact/hooks";

import type { TaskPage } from "../api.ts";
import { seqOf, useLoaded } from "./data.ts";
import { Diff } from "./diff.tsx";
import { Log } from "./log.tsx";
import { Facts, Mark, runLink, WhenLoaded } from "./parts.tsx";
import { Questions } from "./question.tsx";

export function TaskView({ run, task }: { readonly run: string; readonly task: string }) {
  const url = `/api/runs/${encodeURIComponent(run)}/tasks/${encodeURIComponent(task)}`;
  const loaded = useLoaded<TaskPage>(url, seqOf(run));
  return <WhenLoaded loaded={loaded}>{(page) => <Task page={page} />}</WhenLoaded>;
}

function Task({ page }: { readonly page: TaskPage }) {
  const { run, id, mark, tone, words, facts, attempts, questions } = page;
  const [showsDiff, setShowsDiff] = useState(false);
  return (
    <>
      <p>
        <a href={runLink(run)}>← the run</a>
      </p>
      <h1>
        <Mark mark={mark} tone={tone} /> {id}
      </h1>
      <p>{words}</p>
      <Questions questions={questions} />
      <Facts facts={facts} />
      <h2>Attempts</h2>
      <ol class="attempts">
        {attempts.map((attempt) => (
          <li key={attempt.heading}>
            <h3>{attempt.heading}</h3>
            <Facts facts={attempt.facts} />
            {attempt.explain.length > 0 && (
              <details>
                <summary>explain</summary>
                {attempt.tables.length > 0 && <pre>{attempt.tables.join("\n")}</pre>}
                <Facts facts={attempt.explain} />
              </details>
            )}
          </li>
        ))}
      </ol>
      <details onToggle={({ currentTarget }) => setShowsDiff(currentTarget.open)}>
        <summary>what it changed</summary>
        {showsDiff && <Diff run={run} task={id} />}
      </details>
      <Log key={`${run} ${id}`} run={run} task={id} />
    </>
  );
}
