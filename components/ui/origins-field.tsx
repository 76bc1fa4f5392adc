"use client";

import { useEffect, useState } from "react";

import { Button } from "./button";
import { Field } from "./field";
import { Textarea } from "./input";
import type { Action } from "./action-result";
import { type OriginVerdict, splitOrigins } from "./origin-verdict";

const PAUSE_MS = 300;
const DEVELOPMENT = "http://localhost:3000";

/** Validates the typed origins on the server, debounced. */
function useVerdicts(text: string, explain: Action<string[], OriginVerdict[]>): OriginVerdict[] {
  const [verdicts, setVerdicts] = useState<OriginVerdict[]>([]);
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(() => {
      const texts = splitOrigins(text);
      const answer = texts.length === 0 ? Promise.resolve({ ok: true as const, value: [] }) : explain(texts, undefined);
      void answer.then((result) => {
        if (isCurrent) setVerdicts(result.ok ? result.value : []);
      });
    }, PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [text, explain]);
  const typed = new Set(splitOrigins(text));
  return verdicts.filter((verdict) => typed.has(verdict.text));
}

export type OriginsFieldProps = {
  text: string;
  onChange: (text: string) => void;
  explain: Action<string[], OriginVerdict[]>;
  label?: string;
  hint?: string;
};

/** A field for origins, validated while typing, with a suggestion for each invalid entry. */
export function OriginsField({ text, onChange, explain, label = "Allowed origins", hint }: OriginsFieldProps) {
  const verdicts = useVerdicts(text, explain);
  const refused = verdicts.filter((verdict) => !verdict.ok);
  const accepted = verdicts.length - refused.length;
  return (
    <div>
      <Field
        label={label}
        hint={
          hint ?? "One a line: scheme, host and port, exactly as the browser shows them. Paste as many as you like."
        }
        error={
          refused.length > 0 ? (
            <ul className="mt-1 flex flex-col gap-1.5">
              {refused.map((verdict) => (
                <li key={verdict.text} className="flex flex-wrap items-center gap-x-2 gap-y-1">
                  <span className="min-w-0">
                    <code className="font-mono break-all">{verdict.text}</code>: {verdict.explanation}
                  </span>
                  {verdict.suggestion === undefined ? null : (
                    <Button
                      size="sm"
                      onClick={() => {
                        onChange(
                          splitOrigins(text)
                            .map((entry) => (entry === verdict.text ? (verdict.suggestion ?? entry) : entry))
                            .join("\n"),
                        );
                      }}
                    >
                      Use {verdict.suggestion}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          ) : null
        }
      >
        <Textarea
          rows={3}
          value={text}
          spellCheck={false}
          autoCapitalize="none"
          placeholder={"https://shop.example\nhttp://localhost:3000"}
          onText={onChange}
        />
      </Field>
      <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button
          size="sm"
          disabled={splitOrigins(text).includes(DEVELOPMENT)}
          onClick={() => {
            onChange([...splitOrigins(text), DEVELOPMENT].join("\n"));
          }}
        >
          + {DEVELOPMENT}
        </Button>
        <p role="status" className="text-xs text-pass">
          {accepted > 0 ? `${accepted} valid origin${accepted === 1 ? "" : "s"}` : ""}
        </p>
      </div>
    </div>
  );
}
