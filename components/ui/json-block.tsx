import { CodeFrame } from "./code-block";

/** Matches a string (with a colon if it is a key), a number or a literal. */
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*|true|false|null)/g;

type Token = { text: string; className: string | undefined };

function tokensOf(json: string): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const match of json.matchAll(TOKEN)) {
    const [, string, colon = "", literal = ""] = match;
    if (match.index > end) tokens.push({ text: json.slice(end, match.index), className: undefined });
    const className = string === undefined ? "code-literal" : colon === "" ? "code-string" : "code-name";
    tokens.push({ text: string ?? literal, className });
    if (colon !== "") tokens.push({ text: colon, className: undefined });
    end = match.index + match[0].length;
  }
  return [...tokens, { text: json.slice(end), className: undefined }];
}

/** A value as indented JSON, highlighted in one pass. */
export function JsonBlock({ value, label }: { value: unknown; label: string }) {
  const json = JSON.stringify(value, null, 2);
  return (
    <CodeFrame label={label}>
      <code>
        {tokensOf(json).map(({ text, className }, index) =>
          className ? (
            <span key={index} className={className}>
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
