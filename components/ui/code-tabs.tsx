import { CodeBlock } from "./code-block";
import { Tabs } from "./tabs";

type Code = { title: string; code: string; html: string };

/** The same thing in several languages. */
export function CodeTabs({ label, codes }: { label: string; codes: readonly Code[] }) {
  return (
    <Tabs
      label={label}
      items={codes.map(({ title, code, html }) => ({
        name: title,
        panel: <CodeBlock code={code} html={html} label={`${label}, ${title}`} />,
      }))}
    />
  );
}
