"use client";

import { type ComponentProps, useEffect, useEffectEvent, useRef, useState, useTransition } from "react";

import { Button } from "./button";
import { Dialog, DialogActions, DialogClose } from "./dialog";
import { whyNotSent } from "./why-not-sent";
import { Refusal } from "./refusal";

type Refused = Awaited<ReturnType<typeof whyNotSent>>;

type Props = Omit<ComponentProps<"a">, "onClick"> & {
  href: string;
  /** Also saves the file when the link is shown. */
  startsAtOnce?: boolean;
};

function save(href: string): void {
  Object.assign(document.createElement("a"), { href, download: "" }).click();
}

/**
 * A link to a file of the Console. Browsers report that a download failed, but not why: so the service is asked first,
 * and a dialog shows its reason, with a way to sign in and to try again on the same page.
 */
export function DownloadLink({ href, startsAtOnce = false, ...rest }: Props) {
  const [refused, setRefused] = useState<Refused>();
  const [isAsking, startTransition] = useTransition();
  const ask = () => {
    startTransition(async () => {
      const reason = await whyNotSent(href);
      setRefused(reason);
      if (!reason) save(href);
    });
  };
  const hasStarted = useRef(false);
  const start = useEffectEvent(() => {
    if (!startsAtOnce || hasStarted.current) return;
    hasStarted.current = true;
    ask();
  });
  useEffect(() => {
    start();
  }, []);
  return (
    <>
      <a
        {...rest}
        href={href}
        download
        aria-disabled={isAsking || undefined}
        aria-busy={isAsking || undefined}
        onClick={(event) => {
          event.preventDefault();
          if (!isAsking) ask();
        }}
      />
      <Dialog
        title="The file was not downloaded"
        open={refused !== undefined}
        onOpenChange={() => {
          setRefused(undefined);
        }}
      >
        <Refusal result={refused} />
        <DialogActions>
          <DialogClose>Close</DialogClose>
          <Button variant="primary" isPending={isAsking} onClick={ask}>
            Try again
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}
