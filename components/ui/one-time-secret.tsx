"use client";

import { Download, Eye, EyeOff } from "lucide-react";
import { useState } from "react";

import { Button } from "./button";
import { CopyButton } from "./copy-button";
import { Checkbox } from "./input";
import { downloadText } from "./download-text";
import { useLeaveGuard } from "./use-leave-guard";

type Props = {
  secret: string;
  environmentId?: string;
  /** Name of the downloaded file. */
  variable?: string;
  /** How the service stores it. */
  kept?: string;
  doneLabel: string;
  onDone: () => void;
};

/** A secret that is shown once: the person confirms having stored it before continuing. */
export function OneTimeSecret(props: Props) {
  const { secret, environmentId, variable = "IMPRINT_KEY", kept = "only its hash is kept", doneLabel, onDone } = props;
  const [isStored, setStored] = useState(false);
  const [isVisible, setVisible] = useState(true);
  useLeaveGuard(!isStored);
  const dotEnv = `${environmentId ? `IMPRINT_ENVIRONMENT_ID=${environmentId}\n` : ""}${variable}=${secret}\n`;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-1 rounded-md border border-border-strong bg-surface-2 py-1 pr-1 pl-3">
        <code aria-label="Secret key" className="min-w-0 flex-1 font-mono text-xs break-all">
          {isVisible ? secret : `${secret.slice(0, 12)}${"•".repeat(24)}`}
        </code>
        <Button
          variant="ghost"
          size="icon"
          aria-label={isVisible ? "Hide the key" : "Show the key"}
          aria-pressed={!isVisible}
          onClick={() => {
            setVisible(!isVisible);
          }}
        >
          {isVisible ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
        </Button>
      </div>
      <div className="flex flex-wrap gap-2">
        <CopyButton value={secret} label="Copy the key">
          Copy key
        </CopyButton>
        <Button
          onClick={() => {
            downloadText("imprint.env", dotEnv);
          }}
        >
          <Download aria-hidden />
          Download .env
        </Button>
      </div>
      <p className="text-fg-muted">
        It is shown only this once and cannot be read again: {kept}. Store it in your server&apos;s environment, never
        in a page or a repository.
      </p>
      <label className="flex gap-2">
        <Checkbox checked={isStored} onCheck={setStored} />I have stored the key
      </label>
      <Button variant="primary" disabled={!isStored} onClick={onDone}>
        {doneLabel}
      </Button>
    </div>
  );
}
