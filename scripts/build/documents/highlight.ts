import { createHighlighterCore, type HighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";

/** Names of the languages that code in the product and its documentation is written in. */
const LANGUAGES = ["bash", "go", "html", "javascript", "json", "nginx", "php", "python", "tsx", "typescript"] as const;
type CodeLanguage = (typeof LANGUAGES)[number] | "text";

const isCodeLanguage = (name: string): name is CodeLanguage => LANGUAGES.some((known) => known === name);

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

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const styleOf = (style: Record<string, string> | undefined): string =>
  Object.entries(style ?? {})
    .map(([name, value]) => `${name}:${value}`)
    .join(";");

const ALIASES: Record<string, CodeLanguage> = {
  js: "javascript",
  ts: "typescript",
  sh: "bash",
  jsx: "tsx",
  "": "text",
};

/** @throws Error for a language that code here is not written in */
function languageOf(name: string): CodeLanguage {
  const language = ALIASES[name] ?? name;
  if (language === "text" || isCodeLanguage(language)) return language;
  throw new Error(`There is no highlighter for the language "${name}"`);
}

const lineOf = (html: string): string => `<span class="block min-h-4.75">${html}</span>`;

/** Code as HTML, a line each; each token's style holds its colour in both themes. */
export async function highlight(code: string, languageName: string): Promise<string> {
  const language = languageOf(languageName);
  if (language === "text")
    return code
      .split("\n")
      .map((line) => lineOf(escape(line)))
      .join("");
  const { tokens } = (await highlighter()).codeToTokens(code, {
    lang: language,
    themes: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    defaultColor: false,
  });
  return tokens
    .map((line) =>
      lineOf(line.map((token) => `<span style="${styleOf(token.htmlStyle)}">${escape(token.content)}</span>`).join("")),
    )
    .join("");
}
