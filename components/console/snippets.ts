import type { Snippet } from "@/components/ui/code-tabs";

type PageValues = { baseUrl: string; environmentId: string; version: string };

/** How a page runs the component. */
export const pageSnippets = ({ baseUrl, environmentId, version }: PageValues): Snippet[] => [
  {
    name: "Script tag",
    language: "html",
    code: `<script src="${baseUrl}/v1/imprint.js"></script>
<script type="module">
  const client = Imprint.createImprint({ environmentId: "${environmentId}" });
  const { imprint } = await client.run({ surface: "sign-in" });   // send it with your form
</script>`,
  },
  {
    name: "ESM",
    language: "javascript",
    code: `import { createImprint } from "${baseUrl}/v1/imprint.mjs";

const client = createImprint({ environmentId: "${environmentId}" });
const { imprint } = await client.run({ surface: "sign-in" });   // send it with your form`,
  },
  {
    name: "React",
    language: "tsx",
    code: `// npm install ${baseUrl}/v1/imprint-${version}.tgz
import { useImprint } from "imprint-browser/react";

const { run } = useImprint({ environmentId: "${environmentId}", endpoint: "${baseUrl}" });
const onSubmit = async () => {
  const { imprint } = await run({ surface: "sign-in" });   // send it with your form
};`,
  },
];

/** How a server reads a Report. The key stays in the server's environment. */
export function serverSnippets(baseUrl: string): Snippet[] {
  const address = `${baseUrl}/api/v1/fingerprint/report`;
  return [
    { name: "curl", language: "bash", code: `curl ${address}/$IMPRINT -H "X-API-Key: $IMPRINT_KEY"` },
    {
      name: "Node",
      language: "javascript",
      code: `const answer = await fetch(\`${address}/\${imprint}\`, {
  headers: { "X-API-Key": process.env.IMPRINT_KEY },
});
if (!answer.ok) throw new Error((await answer.json()).error.code);
const report = await answer.json();
console.log(report.risk.status, report.device.id);`,
    },
    {
      name: "Python",
      language: "python",
      code: `import json, os, urllib.request

request = urllib.request.Request(
    f"${address}/{imprint}",
    headers={"X-API-Key": os.environ["IMPRINT_KEY"]},
)
with urllib.request.urlopen(request) as answer:
    report = json.load(answer)
print(report["risk"]["status"], report["device"]["id"])`,
    },
    {
      name: "Go",
      language: "go",
      code: `request, err := http.NewRequest("GET", "${address}/"+imprint, nil)
if err != nil {
	return err
}
request.Header.Set("X-API-Key", os.Getenv("IMPRINT_KEY"))
answer, err := http.DefaultClient.Do(request)
if err != nil {
	return err
}
defer answer.Body.Close()
var report struct {
	Risk struct{ Status string }
}
err = json.NewDecoder(answer.Body).Decode(&report)`,
    },
    {
      name: "PHP",
      language: "php",
      code: `<?php
$context = stream_context_create(["http" => [
    "header" => "X-API-Key: " . getenv("IMPRINT_KEY"),
]]);
$body = file_get_contents("${address}/$imprint", false, $context);
$report = json_decode($body, true);
echo $report["risk"]["status"], " ", $report["device"]["id"];`,
    },
  ];
}

/** The request that reads one Report. */
export const curlCommand = (baseUrl: string, imprint: string): string =>
  `curl ${baseUrl}/api/v1/fingerprint/report/${imprint} -H "X-API-Key: $IMPRINT_KEY"`;
