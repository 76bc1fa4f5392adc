"use client";

import { useEffect } from "react";

import { cn } from "@/components/ui/class-names";
import { useStoredText } from "@/components/ui/use-stored-text";

const SHOWN_MS = 1_600;

function showLanguage(language: string): void {
  for (const sample of document.querySelectorAll<HTMLElement>("[data-language]"))
    sample.hidden = sample.dataset["language"] !== language;
}

/** Copies the sample and shows the outcome on the button. */
async function copyCode(button: HTMLButtonElement): Promise<void> {
  const code = button.parentElement?.querySelector("pre")?.textContent ?? "";
  try {
    await navigator.clipboard.writeText(code);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Copy by hand";
  }
  setTimeout(() => {
    button.textContent = "Copy";
  }, SHOWN_MS);
}

/** The copy buttons of the samples that the build rendered: hidden without scripts. */
function useCopyButtons(): void {
  useEffect(() => {
    for (const button of document.querySelectorAll<HTMLButtonElement>("[data-copy]")) button.hidden = false;
    const onClick = ({ target }: MouseEvent) => {
      const button = target instanceof Element ? target.closest<HTMLButtonElement>("[data-copy]") : null;
      if (button) void copyCode(button);
    };
    document.addEventListener("click", onClick);
    return () => {
      document.removeEventListener("click", onClick);
    };
  }, []);
}

/** Chooses the language of all samples on the page; the choice is stored in this browser. */
export function ReferenceControls({ languages }: { languages: readonly string[] }) {
  const [kept, keep] = useStoredText("imprint.reference-language");
  const language = languages.find((name) => name === kept) ?? languages[0] ?? "";
  useCopyButtons();
  useEffect(() => {
    showLanguage(language);
  }, [language]);
  return (
    <fieldset className="my-6 flex flex-wrap items-center gap-0.5">
      <legend className="float-left mr-2 text-fg-muted">Samples in</legend>
      {languages.map((name) => (
        <label
          key={name}
          className={cn(
            "h-7 cursor-pointer rounded-md px-2.5 leading-7 text-fg-muted hover:text-fg has-focus-visible:outline-2",
            name === language && "bg-surface-2 font-medium text-fg",
          )}
        >
          <input
            type="radio"
            name="language"
            className="sr-only"
            checked={name === language}
            onChange={() => {
              keep(name);
            }}
          />
          {name}
        </label>
      ))}
    </fieldset>
  );
}
