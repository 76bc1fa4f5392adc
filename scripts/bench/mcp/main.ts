import { CHECK_OPTION, JSON_OPTION, progress, runCommand, SEED_OPTION } from "../../common/command";
import { markdownTable, median, printOutcome, textTable } from "../../common/report";
import { type Answered, runEvaluation } from "./run";

const QUESTIONS = 30;
const MEDIAN_CALLS = 3;
const LIST_TOKENS = 3_000;

const cellsOf = ({ text, isRight, calls, tokens }: Answered) => [text, isRight ? "right" : "wrong", calls, tokens];

await runCommand({
  name: "bench:mcp",
  about:
    "Starts Imprint with demonstration data, connects the official MCP client as an analyst's assistant, and asks 30 scripted questions through the tools, each as a client would that knows only the tool descriptions. The answers are compared with the database tables; calls and tokens are counted (o200k_base).",
  options: {
    seed: SEED_OPTION,
    markdown: { type: "boolean", about: "print the tables as in docs/benchmarks.md" },
    json: JSON_OPTION,
    check: CHECK_OPTION,
  },
  async run(values, cleanUp) {
    const { answered, listed } = await runEvaluation(cleanUp, { seed: values.seed, progress });
    const right = answered.filter(({ isRight }) => isRight).length;
    const calls = answered.map((each) => each.calls);
    const tokens = answered.map((each) => each.tokens);
    const figures = [
      ["answered right", `${right} of ${answered.length}`],
      ["calls per answer, median and maximum", `${median(calls)} and ${Math.max(...calls)}`],
      ["tokens per answer, median and maximum", `${median(tokens)} and ${Math.max(...tokens)}`],
      ["tokens of tools/list", listed.tools],
      ["tokens of prompts/list", listed.prompts],
    ];
    const table = values.markdown ? markdownTable : textTable;
    return printOutcome(values, {
      result: { answered, listed, right, calls: median(calls), tokens: median(tokens) },
      misses: [
        ...answered.filter(({ isRight }) => !isRight).map(({ text, says }) => `${text} ${says}`),
        ...(right < QUESTIONS ? [`${right} right answers, below ${QUESTIONS}`] : []),
        ...(median(calls) > MEDIAN_CALLS ? [`${median(calls)} calls in the median, above ${MEDIAN_CALLS}`] : []),
        ...(listed.tools >= LIST_TOKENS ? [`tools/list takes ${listed.tools} tokens, not below ${LIST_TOKENS}`] : []),
      ],
      lines: () => [
        ...table(["question", "answer", "calls", "tokens"], answered.map(cellsOf)),
        "",
        ...table(["figure", "value"], figures),
      ],
    });
  },
});
