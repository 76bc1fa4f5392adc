import { CodeBlock } from "./code-block";
import { Tabs } from "./tabs";

type Code = { title: string; html: string };

/** The same code in several languages. */
export function CodeTabs({ label, codes }: { label: string; codes: readonly Code[] }) {
  return (
    <Tabs
      label={label}
      items={codes.map(({ title, html }) => ({
        name: title,
        panel: <CodeBlock html={html} label={`${label}, ${title}`} />,
      }))}
    />
  );
}
