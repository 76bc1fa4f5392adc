"use client";

import { type ComponentType, lazy } from "react";

import { Button } from "./button";
import { Dialog, DialogActions, DialogClose } from "./dialog";

type Props = { onClose: () => void };

function Missing({ onClose }: Props) {
  return (
    <Dialog
      title="This could not be loaded"
      open
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <p role="alert" className="text-fg-muted">
        The connection failed, or the service was upgraded since this page was opened. Reload the page to load it.
      </p>
      <DialogActions>
        <DialogClose>Not now</DialogClose>
        <Button
          variant="primary"
          onClick={() => {
            location.reload();
          }}
        >
          Reload
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/**
 * A dialog whose code is loaded when it is first opened. If loading fails, a notice replaces the dialog; a file that
 * failed once is not requested again until the page is reloaded.
 */
export const lazyDialog = <Own extends Props>(load: () => Promise<{ default: ComponentType<Own> }>) =>
  lazy<ComponentType<Own>>(() => load().catch(() => ({ default: Missing })));
