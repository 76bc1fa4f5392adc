import { createHighlighterCore, type HighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";

/** Names of the languages that code in the product and its documentation is written in. */
const LANGUAGES = ["bash", "go", "html", "javascript", "json", "nginx", "php", "python", "tsx", "typescript"] as const;
export type CodeLanguage = (typeof LANGUAGES)[number] | "text";

export const isCodeLanguage = (name: string): name is CodeLanguage =>
  name === "text" || LANGUAGES.some((known) => known === name);

let loading: Promise<HighlighterCore> | undefined;

/** One highlighter for the process: grammars are read once. */
const highlighter = () =>
  (loading ??= createHighlighterCore({
    engine: createJavaScriptRegexEngine(),
    themes: [
      import("shiki/themes/github-light-high-contrast.mjs"),
      import("shiki/themes/github-dark-high-contrast.mjs"),
    ],
    langs: [
      import("shiki/langs/bash.mjs"),
      import("shiki/langs/go.mjs"),
      import("shiki/langs/html.mjs"),
      import("shiki/langs/javascript.mjs"),
      import("shiki/langs/json.mjs"),
      import("shiki/langs/nginx.mjs"),
      import("shiki/langs/php.mjs"),
      import("shiki/langs/python.mjs"),
      import("shiki/langs/tsx.mjs"),
      import("shiki/langs/typescript.mjs"),
    ],
  }));

type CodeToken = { content: string; style: Record<string, string> };

/** Lines of tokens; each token's style holds its colour in both themes. */
export async function highlight(code: string, language: CodeLanguage): Promise<CodeToken[][]> {
  if (language === "text") return code.split("\n").map((content) => [{ content, style: {} }]);
  const { tokens } = (await highlighter()).codeToTokens(code, {
    lang: language,
    themes: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    defaultColor: false,
  });
  return tokens.map((line) => line.map((token) => ({ content: token.content, style: token.htmlStyle ?? {} })));
}
