// How does a person answer a question on the page?

import { useState } from "preact/hooks";

import type { PageQuestion } from "../api.ts";
import { answer, notice, wordsOf } from "./data.ts";
import { taskLink } from "./parts.tsx";

export function Questions({ questions }: { readonly questions: readonly PageQuestion[] }) {
  return (
    <>
      {questions.map((question) => (
        <QuestionCard key={`${question.run} ${question.id}`} question={question} />
      ))}
    </>
  );
}

function QuestionCard({ question }: { readonly question: PageQuestion }) {
  const { run, id, task, asks, place, plan, context, choices, deadline } = question;
  const [state, setState] = useState<"open" | "sent">("open");
  const isClosed = state !== "open" || question.isAnswered;
  const send = (action: string, text: string): void => {
    setState("sent");
    const sending = answer({ run, question: id, action, text });
    void sending.then(
      (next) => (notice.value = `${id} of ${task} is answered: ${next}`),
      (error: unknown) => [setState("open"), (notice.value = wordsOf(error))],
    );
  };
  return (
    <section class="question" aria-label={`question ${id} of ${task}`}>
      <h2>{asks}</h2>
      <p class="quiet">
        <a href={taskLink(run, task)}>{place}</a>
      </p>
      <p class="asked">{question.question}</p>
      {plan !== null && <pre>{plan}</pre>}
      <ul hidden={context.length === 0}>
        {context.map((line, at) => (
          <li key={at} class="asked">
            {line}
          </li>
        ))}
      </ul>
      <div class="choices">
        {choices.map(({ label, action, text, isDefault }) => (
          <button
            key={`${action} ${label}`}
            type="button"
            class={isDefault ? "default" : ""}
            disabled={isClosed}
            onClick={() => send(action, text)}
          >
            {label}
            {isDefault ? " (default)" : ""}
          </button>
        ))}
      </div>
      <OwnWords question={question} isClosed={isClosed} send={send} />
      {deadline !== null && <p class="quiet">{deadline}</p>}
      {isClosed && <p class="quiet">answered; the run has not taken it yet</p>}
    </section>
  );
}

interface OwnWordsProps {
  readonly question: PageQuestion;
  readonly isClosed: boolean;
  readonly send: (action: string, text: string) => void;
}

function OwnWords({ question: { wordsFor }, isClosed, send }: OwnWordsProps) {
  const [words, setWords] = useState("");
  return (
    <form
      class="words"
      onSubmit={(event) => {
        event.preventDefault();
        if (words.trim() !== "") send("answer", words);
      }}
    >
      <label>
        {wordsFor}
        <textarea
          rows={2}
          value={words}
          disabled={isClosed}
          onInput={({ currentTarget }) => setWords(currentTarget.value)}
        />
      </label>
      <button disabled={isClosed || words.trim() === ""}>send</button>
    </form>
  );
}
