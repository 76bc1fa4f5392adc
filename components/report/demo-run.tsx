"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";

import { Button } from "@/components/ui/button";
import { ErrorState } from "@/components/ui/states";
import type { ImprintClient, ImprintError, ImprintOptions } from "@/lib/component/api";

type Component = {
  createImprint: (options: ImprintOptions) => ImprintClient;
  isImprintError: (error: unknown) => error is ImprintError;
};

declare global {
  /** Set by the component's script file. */
  var Imprint: Component | undefined;
}

/** Loads the component as any page would: one script file, one global. */
function loadComponent(): Promise<Component> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = "/v1/imprint.js";
    script.onload = () => {
      script.remove();
      if (globalThis.Imprint) resolve(globalThis.Imprint);
      else reject(new Error("The component's file was loaded but did not run"));
    };
    script.onerror = () => {
      reject(new Error("The component's file could not be loaded. A content blocker may have stopped it"));
    };
    document.head.append(script);
  });
}

type Failure = { code: string | undefined; message: string; requestId: string | undefined };

function failureOf(error: unknown, component: Component | undefined): Failure {
  if (component?.isImprintError(error))
    return { code: error.code, message: error.message, requestId: error.requestId ?? undefined };
  return { code: undefined, message: error instanceof Error ? error.message : String(error), requestId: undefined };
}

type Props = {
  environmentId: string;
  /** URL prefix that shows a Report here; the imprint is appended. */
  shown: string;
};

/** Runs the component in this browser, then shows the Report of the visit. */
export function DemoRun({ environmentId, shown }: Props) {
  const router = useRouter();
  const [failure, setFailure] = useState<Failure>();
  const [isPending, startTransition] = useTransition();
  const run = () => {
    setFailure(undefined);
    startTransition(async () => {
      let component: Component | undefined;
      try {
        component = await loadComponent();
        const { imprint } = await component.createImprint({ environmentId }).run({ surface: "demo" });
        startTransition(() => {
          router.replace(`${shown}${imprint}`, { scroll: false });
        });
      } catch (error) {
        setFailure(failureOf(error, component));
      }
    });
  };
  return (
    <>
      <Button variant="primary" isPending={isPending} onClick={run}>
        {isPending ? "Running" : "Run the component"}
      </Button>
      <span role="status" className="sr-only">
        {isPending ? "The component runs" : ""}
      </span>
      {failure ? (
        <ErrorState
          title={failure.code === undefined ? "The component did not run" : `The run failed: ${failure.code}`}
          requestId={failure.requestId}
          action={<Button onClick={run}>Try again</Button>}
        >
          {failure.message}.
        </ErrorState>
      ) : null}
    </>
  );
}
