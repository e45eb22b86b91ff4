// How does one run stand?

import type { RunPage, TaskRow } from "../api.ts";
import { live, seqOf, useLoaded } from "./data.ts";
import { Log } from "./log.tsx";
import { Facts, Mark, taskLink, WhenLoaded } from "./parts.tsx";
import { Questions } from "./question.tsx";

export function RunView({ run }: { readonly run: string }) {
  const loaded = useLoaded<RunPage>(`/api/runs/${encodeURIComponent(run)}`, seqOf(run));
  return <WhenLoaded loaded={loaded}>{(page) => <Run page={page} />}</WhenLoaded>;
}

function Run({ page }: { readonly page: RunPage }) {
  const { run, id, title, mark, tone, heading, spent, facts, closing, tasks } = page;
  const queue = tasks.filter(({ isMerging }) => isMerging).map((task) => task.id);
  const rows = live.value?.find((one) => one.run === run)?.rows ?? [];
  const now = new Map(rows.map((row) => [row.task, `${row.doing} · ${row.facts.join(" · ")}`]));
  return (
    <>
      <h1>
        <Mark mark={mark} tone={tone} /> {title}
      </h1>
      <p>
        run {id}: {heading}
      </p>
      <p class="quiet">{spent}</p>
      <Questions questions={page.questions} />
      {page.waves.flat().length > 1 && <Waves page={page} />}
      <ul class="tasks">
        {tasks.map((task) => (
          <li key={task.id}>
            <Mark mark={task.mark} tone={task.tone} />{" "}
            <a href={taskLink(run, task.id)}>{task.id}</a> {task.words}
            <div class="quiet">{now.get(task.id) ?? task.effort}</div>
          </li>
        ))}
      </ul>
      {queue.length > 0 && <p>merge queue: {queue.join(", ")}</p>}
      <CostOver cost={page.cost} />
      <Facts facts={[...closing, ...facts]} />
      <Log key={run} run={run} task="" />
    </>
  );
}

const [BOX, GAP, HIGH, ROW] = [132, 44, 26, 34] as const;

/** Columns of tasks that begin together, with a line from each to what waits for it. */
function Waves({ page: { waves, tasks, run } }: { readonly page: RunPage }) {
  const at = new Map(
    waves.flatMap((wave, x) =>
      wave.map((id, y) => [id, { x: x * (BOX + GAP), y: y * ROW }] as const),
    ),
  );
  const width = waves.length * (BOX + GAP) - GAP;
  const height = Math.max(...waves.map((wave) => wave.length)) * ROW;
  const lines = tasks.flatMap((task) =>
    task.dependsOn.flatMap((on) => {
      const [from, to] = [at.get(on), at.get(task.id)];
      if (from === undefined || to === undefined) return [];
      const [x1, y1, x2, y2] = [from.x + BOX, from.y + HIGH / 2, to.x, to.y + HIGH / 2];
      const middle = (x1 + x2) / 2;
      return [`M${x1},${y1} C${middle},${y1} ${middle},${y2} ${x2},${y2}`];
    }),
  );
  return (
    <div class="wide" role="region" aria-label="tasks by wave" tabIndex={0}>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        {lines.map((line) => (
          <path key={line} class="line" d={line} />
        ))}
        {tasks.map((task) => (
          <Box key={task.id} task={task} run={run} at={at.get(task.id)} />
        ))}
      </svg>
    </div>
  );
}

interface BoxProps {
  readonly task: TaskRow;
  readonly run: string;
  readonly at: { readonly x: number; readonly y: number } | undefined;
}

function Box({ task: { id, tone, mark }, run, at }: BoxProps) {
  if (at === undefined) return null;
  const name = id.length > 15 ? `${id.slice(0, 14)}…` : id;
  return (
    <a href={taskLink(run, id)} aria-label={id}>
      <rect class={`box ${tone}`} x={at.x + 1} y={at.y + 1} width={BOX - 2} height={HIGH} rx={5} />
      <text x={at.x + 8} y={at.y + 18}>
        {mark} {name}
      </text>
    </a>
  );
}

function CostOver({ cost }: Pick<RunPage, "cost">) {
  const [first, last] = [cost[0], cost.at(-1)];
  if (first === undefined || last === undefined || last[1] === 0 || cost.length < 2) return null;
  const span = Math.max(1, last[0] - first[0]);
  const points = cost.map(([ms, usd]) => {
    const [x, y] = [((ms - first[0]) / span) * 300, 60 - (usd / last[1]) * 56];
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  const words = `cost over time: $${last[1].toFixed(2)}`;
  return (
    <figure>
      <svg class="cost" viewBox="0 0 300 62" role="img" aria-label={words}>
        <polyline points={points.join(" ")} />
      </svg>
      <figcaption class="quiet">{words}</figcaption>
    </figure>
  );
}
