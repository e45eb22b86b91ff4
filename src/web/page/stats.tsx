// What do the runs of the last days come to?

import { useState } from "preact/hooks";

import type { StatsPage } from "../api.ts";
import { useLoaded } from "./data.ts";
import { Facts, Select, WhenLoaded } from "./parts.tsx";

const SINCE = [
  ["7d", "7 days"],
  ["30d", "30 days"],
  ["90d", "90 days"],
  ["all", "all time"],
] as const;
const BY = (["agent", "model", "pipeline", "task"] as const).map((one) => [one, one] as const);

export function StatsView() {
  const [since, setSince] = useState<(typeof SINCE)[number][0]>("30d");
  const [by, setBy] = useState<(typeof BY)[number][0]>("agent");
  const loaded = useLoaded<StatsPage>(`/api/stats?since=${since}&by=${by}`);
  return (
    <>
      <h1>Statistics</h1>
      <div class="controls">
        <Select label="of the last" value={since} options={SINCE} choose={setSince} />
        <Select label="by" value={by} options={BY} choose={setBy} />
      </div>
      <WhenLoaded loaded={loaded}>
        {({ heading, facts, rows }) => (
          <>
            <p>{heading}</p>
            <Facts facts={facts} />
            <div class="wide" role="region" aria-label={`by ${by}`} tabIndex={0}>
              <table>
                <tbody>
                  {rows.map(([name, ...cells]) => (
                    <tr key={name}>
                      <th scope="row">{name}</th>
                      {cells.map((cell, at) => (
                        <td key={at}>{cell}</td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </>
        )}
      </WhenLoaded>
    </>
  );
}
