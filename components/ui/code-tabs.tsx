import { CodeBlock } from "./code-block";
import type { CodeLanguage } from "./highlight";
import { Tabs } from "./tabs";

export type Snippet = { name: string; language: CodeLanguage; code: string };

/** The same thing in several languages. */
export function CodeTabs({ label, snippets }: { label: string; snippets: readonly Snippet[] }) {
  return (
    <Tabs
      label={label}
      items={snippets.map(({ name, language, code }) => ({
        name,
        panel: <CodeBlock code={code} language={language} label={`${label}, ${name}`} />,
      }))}
    />
  );
}
