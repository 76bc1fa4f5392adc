"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";

import { Button, ButtonLink } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Id } from "@/components/ui/id";
import { Input } from "@/components/ui/input";
import { MessagePage } from "@/components/ui/message-page";
import type { Action } from "@/components/ui/action-result";
import { type OriginVerdict, splitOrigins } from "@/components/ui/origin-verdict";
import { OriginsField } from "@/components/ui/origins-field";
import { Refusal } from "@/components/ui/refusal";
import { OneTimeSecret } from "@/components/ui/one-time-secret";
import { useAction } from "@/components/ui/use-action";
import { useLeaveGuard } from "@/components/ui/use-leave-guard";

export type SetupInput = { token: string; email: string; workspaceName: string; webAppName: string; origins: string[] };
type SetupOutcome = { workspaceId: string; environmentId: string; secret: string };

type Props = {
  token: string;
  /** Whether the link was valid when the page was rendered; the result of this flow outlives it. */
  isOpen: boolean;
  /** The operator's command prefix. */
  adminCommand: string;
  complete: Action<SetupInput, SetupOutcome>;
  explainOrigins: Action<string[], OriginVerdict[]>;
};

function Closed({ adminCommand }: Pick<Props, "adminCommand">) {
  return (
    <MessagePage title="This set-up link cannot be used">
      <p>
        It was used already, or it is not complete. The link works once: it makes the owner and the first workspace.
      </p>
      <ul className="list-disc pl-5 text-fg-muted">
        <li>If you set this instance up before, sign in.</li>
        <li>If nobody has, restart the server: it prints a new link while there is no owner.</li>
        <li>
          If you lost access, run{" "}
          <code className="font-mono text-xs">{adminCommand} login-link --email you@example.com</code> on the machine.
        </li>
      </ul>
      <div>
        <ButtonLink href="/sign-in" variant="primary">
          Sign in
        </ButtonLink>
      </div>
    </MessagePage>
  );
}

type Made = { webAppName: string; origins: readonly string[] };

function Done({ outcome, made }: { outcome: SetupOutcome; made: Made }) {
  const router = useRouter();
  return (
    <MessagePage title="Store these two values" isWide>
      <p className="text-fg-muted">
        You are signed in as the owner. Your Web App “<bdi>{made.webAppName}</bdi>” has an id for the page and a key for
        the server.
      </p>
      <section aria-labelledby="environment" className="rounded-lg border bg-surface p-4">
        <h2 id="environment" className="font-semibold">
          Environment id
        </h2>
        <p className="mb-1 text-fg-muted">Public: it goes into your page. The Console shows it.</p>
        <Id value={outcome.environmentId} isWhole copy="always" />
        <p className="mt-2 text-fg-muted">
          {made.origins.length === 0 ? (
            "No origin is allowed yet. Add one in the Console."
          ) : (
            <>
              Visits are accepted from{" "}
              <span className="font-mono text-xs break-all text-fg">{made.origins.join(", ")}</span>.
            </>
          )}
        </p>
      </section>
      <section aria-labelledby="secret" className="rounded-lg border bg-surface p-4">
        <h2 id="secret" className="mb-2 font-semibold">
          Server key
        </h2>
        <OneTimeSecret
          secret={outcome.secret}
          environmentId={outcome.environmentId}
          doneLabel="To the Console"
          onDone={() => {
            router.push(`/w/${outcome.workspaceId}`);
          }}
        />
      </section>
    </MessagePage>
  );
}

/** The first set-up: owner, workspace and Web App in one form, then the secret, shown once. */
export function SetupFlow({ token, isOpen, adminCommand, complete, explainOrigins }: Props) {
  const { run, result, isPending } = useAction(complete);
  useLeaveGuard(isPending);
  const [values, setValues] = useState({ email: "", workspaceName: "", webAppName: "", origins: "" });
  const change = (name: keyof typeof values) => ({
    value: values[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      setValues({ ...values, [name]: event.currentTarget.value });
    },
  });
  if (result?.ok) {
    const made = { webAppName: values.webAppName, origins: splitOrigins(values.origins) };
    return <Done outcome={result.value} made={made} />;
  }
  if (!isOpen) return <Closed adminCommand={adminCommand} />;
  return (
    <MessagePage title="Set up Imprint" isWide>
      <p className="text-fg-muted">This link works once. It makes you the owner of this instance.</p>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          run({ token, ...values, origins: splitOrigins(values.origins) });
        }}
      >
        <Field label="Your e-mail address" hint="You sign in with links to it, without passwords.">
          <Input type="email" autoComplete="email" required {...change("email")} />
        </Field>
        <Field label="Workspace" hint="Your company or team.">
          <Input required maxLength={80} placeholder="Acme Shop" {...change("workspaceName")} />
        </Field>
        <Field label="First Web App" hint="The website that will run the component.">
          <Input required maxLength={80} placeholder="Shop" {...change("webAppName")} />
        </Field>
        <OriginsField
          text={values.origins}
          onChange={(origins) => {
            setValues({ ...values, origins });
          }}
          explain={explainOrigins}
        />
        <Refusal result={result} />
        <div>
          <Button type="submit" variant="primary" isPending={isPending}>
            Set up
          </Button>
        </div>
      </form>
    </MessagePage>
  );
}
