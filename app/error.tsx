"use client";

import { unstable_isUnrecognizedActionError as isOfOlderPage, useRouter } from "next/navigation";
import { startTransition } from "react";

import { Button } from "@/components/ui/button";
import { MessagePage } from "@/components/ui/message-page";
import { CopyButton } from "@/components/ui/copy-button";

export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  const router = useRouter();
  const isOutdated = isOfOlderPage(error);
  const retry = () => {
    if (isOutdated) {
      location.reload();
      return;
    }
    startTransition(() => {
      router.refresh();
      reset();
    });
  };
  return (
    <MessagePage title={isOutdated ? "This page is out of date" : "This page could not be shown"}>
      <p role="alert" className="text-fg-muted">
        {isOutdated
          ? "The service was upgraded since this page was opened. Reload it and repeat what you were about to do."
          : "Something failed on our side. Nothing that you stored is lost; trying again is safe."}
      </p>
      {error.digest ? (
        <p>
          Reference <code className="font-mono text-xs">{error.digest}</code>{" "}
          <CopyButton value={error.digest} label="Copy the reference" />
        </p>
      ) : null}
      <div>
        <Button variant="primary" onClick={retry}>
          {isOutdated ? "Reload" : "Try again"}
        </Button>
      </div>
    </MessagePage>
  );
}
