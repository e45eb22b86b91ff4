// Does a statement delete what a database keeps?

const STATEMENT_CHARS_MAX = 100_000;

/** Comments and quoted texts; what nothing closes lasts to the end. */
const QUOTED =
  /--[^\n]*|\/\*[^*]*(?:\*(?!\/)[^*]*)*(?:\*\/|$)|'[^']*(?:'|$)|"[^"]*(?:"|$)|`[^`]*(?:`|$)/g;

const DROPS = /^drop\s+(?:database|schema|table|keyspace|collection|dataset|tablespace)\b/;
const TRUNCATES = /^truncate\b/;
const DROPS_COLUMN =
  /\bdrop\s+(?!constraint\b|index\b|default\b|not\b|foreign\b|primary\b|key\b|check\b|identity\b|expression\b)\w/;

/** In a transaction that is rolled back, nothing is. Deletions with a condition are ordinary work. */
export function destroysData(sql: string): boolean {
  const statements = sql
    .slice(0, STATEMENT_CHARS_MAX)
    .replace(QUOTED, (found) => (/^(?:--|\/\*)/.test(found) ? " " : " x "))
    .toLowerCase()
    .split(";")
    .map((statement) => statement.trim());
  if (statements.includes("rollback") && !statements.includes("commit")) return false;
  return statements.some(isDestruction);
}

function isDestruction(statement: string): boolean {
  if (DROPS.test(statement) || TRUNCATES.test(statement)) return true;
  const isConditional = /\bwhere\b/.test(statement);
  if (/^delete\s+from\b/.test(statement)) return !isConditional;
  if (/^update\b/.test(statement)) return /\bset\b/.test(statement) && !isConditional;
  return /^alter\s+table\b/.test(statement) && DROPS_COLUMN.test(statement);
}

/** What mongosh is told in JavaScript. */
export function destroysCollection(script: string): boolean {
  return /\.dropDatabase\(|\.drop\(\s{0,20}\)|\.(?:deleteMany|remove|updateMany)\(\s{0,20}\{\s{0,20}\}/.test(
    script.slice(0, STATEMENT_CHARS_MAX),
  );
}
