import { createHighlighterCore, type HighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";

/** Languages of code in the product and its documentation. */
const LANGUAGES = ["bash", "go", "html", "javascript", "json", "nginx", "php", "python", "tsx", "typescript"] as const;
type CodeLanguage = (typeof LANGUAGES)[number] | "text";

const isCodeLanguage = (name: string): name is CodeLanguage => LANGUAGES.some((known) => known === name);

let loading: Promise<HighlighterCore> | undefined;

/** One highlighter per process, so that grammars are loaded once. */
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

/** Classes in `app/globals.css` by a token's light colour; text without a class has the theme's default colour. */
const CLASSES: Record<string, string> = {
  "#0E1116": "",
  "#024C1A": "code-name",
  "#023B95": "code-literal",
  "#032563": "code-string",
  "#A0111F": "code-keyword",
  "#622CBC": "code-function",
  "#702C00": "code-parameter",
  "#66707B": "code-comment",
};

/** @throws Error for a colour without a class */
function classOf(style: Record<string, string> | undefined): string {
  const light = style?.["--shiki-light"];
  const name = light === undefined ? "" : CLASSES[light];
  if (name === undefined) throw new Error(`The colour ${light} of a theme has no class`);
  return name;
}

const ALIASES: Record<string, CodeLanguage> = {
  js: "javascript",
  ts: "typescript",
  sh: "bash",
  jsx: "tsx",
  "": "text",
};

/** @throws Error for a language that is not supported here */
function languageOf(name: string): CodeLanguage {
  const language = ALIASES[name] ?? name;
  if (language === "text" || isCodeLanguage(language)) return language;
  throw new Error(`No highlighter for the language "${name}"`);
}

/** Code as HTML; a token's class determines its colour in both themes. */
export async function highlight(code: string, languageName: string): Promise<string> {
  const language = languageOf(languageName);
  if (language === "text") return escape(code);
  const { tokens } = (await highlighter()).codeToTokens(code, {
    lang: language,
    themes: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    defaultColor: false,
    // With a limit, a slow line on a busy machine would be highlighted only partially.
    tokenizeTimeLimit: 0,
  });
  const lines = tokens.map((line) =>
    line.map(({ content, htmlStyle }) => {
      const name = classOf(htmlStyle);
      return name === "" ? escape(content) : `<span class="${name}">${escape(content)}</span>`;
    }),
  );
  return lines.map((line) => line.join("")).join("\n");
}
