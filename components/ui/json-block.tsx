import type { CSSProperties } from "react";

import { CodeFrame } from "./code-block";

const colour = (light: string, dark: string) => ({ "--shiki-light": light, "--shiki-dark": dark }) as CSSProperties;

/** The colours in which the build shows JSON. */
const COLOURS = {
  key: colour("#024C1A", "#72F088"),
  string: colour("#032563", "#ADDCFF"),
  literal: colour("#023B95", "#91CBFF"),
};

/** A string with the colon of a key after it, or a number or a word. */
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*|true|false|null)/g;

type Token = { text: string; style: CSSProperties | undefined };

function tokensOf(json: string): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const match of json.matchAll(TOKEN)) {
    const [, string, colon = "", literal = ""] = match;
    if (match.index > end) tokens.push({ text: json.slice(end, match.index), style: undefined });
    const style = string === undefined ? COLOURS.literal : COLOURS[colon === "" ? "string" : "key"];
    tokens.push({ text: string ?? literal, style });
    if (colon !== "") tokens.push({ text: colon, style: undefined });
    end = match.index + match[0].length;
  }
  return [...tokens, { text: json.slice(end), style: undefined }];
}

/** A value as indented JSON, coloured at the cost of one pass over its text. */
export function JsonBlock({ value, label }: { value: unknown; label: string }) {
  const json = JSON.stringify(value, null, 2);
  return (
    <CodeFrame code={json} label={label}>
      <code className="code-lines">
        {tokensOf(json).map(({ text, style }, index) =>
          style ? (
            <span key={index} style={style}>
              {text}
            </span>
          ) : (
            text
          ),
        )}
      </code>
    </CodeFrame>
  );
}
