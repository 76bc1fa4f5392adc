"use client";

import { Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";

import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { counted } from "@/components/ui/counted";
import { Panel } from "@/components/ui/panel";
import { RelativeTime } from "@/components/ui/time";
import { type Undo, useToast } from "@/components/ui/toast";
import type { ReadConsequences } from "@/components/shell/consequence-asked";
import type { Action } from "@/components/ui/action-result";
import { isDevelopmentOrigin, type OriginVerdict, splitOrigins } from "@/components/ui/origin-verdict";
import { OriginsField } from "@/components/ui/origins-field";
import { Refusal } from "@/components/ui/refusal";
import { useAction } from "@/components/ui/use-action";

type WebAppKey = { workspaceId: string; webAppId: string };
type AddedOrigins = {
  added: string[];
  alreadyListed: string[];
  refused: { text: string; explanation: string; suggestion?: string }[];
};

type Props = {
  webApp: WebAppKey;
  origins: readonly string[];
  /** End time of each temporarily allowed origin. */
  ends: Readonly<Record<string, string>>;
  now: string;
  canManage: boolean;
  /** The operator's command prefix. */
  adminCommand: string;
  add: Action<WebAppKey & { origins: string[] }, AddedOrigins>;
  remove: Action<WebAppKey & { origin: string }, unknown>;
  explainOrigins: Action<string[], OriginVerdict[]>;
  readConsequences: ReadConsequences;
};

function RemoveOrigin({ origin, ...props }: Props & { origin: string }) {
  const undo: Undo = {
    action: (_input, person) => props.add({ ...props.webApp, origins: [origin] }, person),
    done: `${origin} is allowed again`,
  };
  return (
    <Confirm
      trigger={
        <Button variant="ghost" size="icon" aria-label={`Remove ${origin}`} title="Remove">
          <Trash2 aria-hidden />
        </Button>
      }
      title={`Remove ${origin}?`}
      confirmLabel="Remove origin"
      action={props.remove}
      input={{ ...props.webApp, origin }}
      done={`${origin} is refused from now on`}
      // Undo would allow a temporary origin permanently.
      undo={props.ends[origin] === undefined ? undo : undefined}
      consequences={{ asked: { what: "webApp", ...props.webApp, origin }, read: props.readConsequences }}
    >
      Its pages submit no more visits until it is on the list again.
    </Confirm>
  );
}

function OriginRow({ origin, ...props }: Props & { origin: string }) {
  const end = props.ends[origin];
  return (
    <li className="flex min-h-9 flex-wrap items-center gap-x-3 border-b px-4 py-1 last:border-b-0">
      <span className="min-w-0 flex-1 font-mono text-xs break-all">{origin}</span>
      {end === undefined ? null : (
        <span className="text-xs text-fg-muted">
          ends <RelativeTime at={end} now={props.now} />
        </span>
      )}
      {isDevelopmentOrigin(origin) ? <span className="text-xs text-fg-muted">development</span> : null}
      {props.canManage ? <RemoveOrigin {...props} origin={origin} /> : null}
    </li>
  );
}

function AddForm({ webApp, adminCommand, add, explainOrigins }: Props) {
  const [text, setText] = useState("");
  const { run, result, isPending } = useAction(add);
  const router = useRouter();
  const toast = useToast();
  const submit = () => {
    run({ ...webApp, origins: splitOrigins(text) }, ({ added, alreadyListed, refused }) => {
      // Refused origins stay in the field, each with its reason.
      setText(refused.map((one) => one.text).join("\n"));
      const known = alreadyListed.length > 0 ? `${alreadyListed.length} on the list already. ` : "";
      toast.show(`${counted(added.length, "origin")} added`, `${known}The list counts from the next visit on.`);
      router.refresh();
    });
  };
  return (
    <form
      className="flex flex-col gap-2 border-t p-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <OriginsField text={text} onChange={setText} explain={explainOrigins} label="Add origins" />
      <Refusal result={result} />
      <div>
        <Button type="submit" isPending={isPending} disabled={splitOrigins(text).length === 0}>
          Add to the list
        </Button>
      </div>
      <p className="text-xs text-fg-muted">
        There are no wildcards: an origin matches exactly. A pipeline adds each preview deployment with{" "}
        <code className="font-mono wrap-anywhere">
          {adminCommand} origin add --web-app {webApp.webAppId} --origin https://…
        </code>
      </p>
    </form>
  );
}

/** Editor of the allowed origins; takes effect at once. */
export function OriginEditor(props: Props) {
  const { origins, canManage } = props;
  return (
    <Panel id="origins" title={`Allowed origins (${origins.length})`} aside="takes effect at once">
      {origins.length === 0 ? (
        <p role="status" className="m-3 rounded-md bg-susp-bg px-3 py-2 text-susp">
          The list is empty, so every submission is refused.
        </p>
      ) : (
        <ul>
          {origins.map((origin) => (
            <OriginRow key={origin} {...props} origin={origin} />
          ))}
        </ul>
      )}
      {canManage ? <AddForm {...props} /> : null}
    </Panel>
  );
}
