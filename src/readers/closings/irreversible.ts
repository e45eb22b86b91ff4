// Does a closing text ask leave for something that cannot be taken back?

import type { Prose } from "./prose.ts";

const LASTING =
  "production|prod|live|buckets?|tables?|databases?|db|data|records|users?|customers?|accounts?|backups?|volumes?|clusters?|servers?|history|main branch|remote branch|registry|secrets?|e-?mails?|invoices?|payments?|money|dns|releases?";
const ACT =
  "delet\\w*|drop(?:s|ped|ping)?|wip(?:e[sd]?|ing)|purg\\w+|destroy\\w*|truncat\\w+|eras\\w+|overwrit\\w+|reset\\w*|rewrit\\w+|revok\\w+|rotat\\w+|remov\\w+|terminat\\w+|send\\w*|publish\\w*|deploy\\w*|migrat\\w+|charg\\w+";

const DESTRUCTION = new RegExp(
  `\\b(?:${ACT})\\b.{0,80}\\b(?:${LASTING})\\b|\\b(?:${LASTING})\\b.{0,40}\\b(?:${ACT})\\b|\\bforce[- ]?push|\\b(?:run|execut|apply|start)\\w*\\b.{0,60}\\b(?:against|on|in) (?:the )?(?:production|prod|live)\\b`,
);
const UNDOABLE =
  /\b(?:irreversibl\w+|(?:cannot|can't|can not|could not) be (?:undone|reversed|recovered|restored|taken back)|no (?:backup|way back|undo)|permanently|unrecoverable)\b/;

/** "Should deleted users be kept?" is about the product; these ask about an act of the agent. */
const ASKS_LEAVE =
  /\b(?:(?:should|shall|may|can|must) i|(?:do|would) you (?:want|like) me to|ok(?:ay)? (?:to|if i|for me)|permission to|(?:please|can you|could you|(?:someone|somebody|anyone|you|a person|a human|the \w+) to) (?:confirm|approve|sign off)|(?:need|needs|awaits?|awaiting|wait\w*|without|ask\w*|requires?|until)\b.{0,30}\b(?:confirm(?:s|ed|ation)?|approv(?:al|ed|es)|go-?ahead|sign-?off)|is (?:this|that|it) intended|before i (?:do|run|go|delete|drop|proceed|continue|execute|apply))\b/;

/** The words that say what cannot be taken back; null: no such thing is asked. */
export function irreversibleOf({ own, sentences }: Prose): string | null {
  if (!ASKS_LEAVE.test(own)) return null;
  return sentences.find((one) => DESTRUCTION.test(one.own) || UNDOABLE.test(one.own))?.said ?? null;
}
