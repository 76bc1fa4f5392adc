/** Machine codes of a failed run. Branch on these; messages are for people. */
export type ImprintErrorCode = "invalid_config" | "consent_missing" | "origin_not_allowed" | "environment_not_found" | "environment_disabled" | "rate_limited" | "request_limit_reached" | "challenge_used" | "challenge_expired" | "invalid_request" | "payload_too_large" | "server_error" | "bad_response" | "network" | "timeout" | "aborted";
export type ImprintError = Error & {
    readonly name: "ImprintError";
    readonly code: ImprintErrorCode;
    /** A later `run()` may succeed without any change to the page or its configuration. */
    readonly retryable: boolean;
    /** The service's `X-Request-Id`, to quote in a support request; null when the service gave no answer. */
    readonly requestId: string | null;
};
/** `true`, a promise of it, or a function that is asked at each run and returns one of them. */
export type Consent = boolean | Promise<boolean> | (() => boolean | Promise<boolean>);
export type ImprintOptions = {
    /** The public id of the Web App: `env_` and 32 lowercase hex digits. */
    environmentId: string;
    /**
     * Address of the service, or of this file where a proxy of your own site serves it, e.g. `/_i/c.js`. Default: where
     * this file came from.
     */
    endpoint?: string | undefined;
    /** Leave to observe the browser: nothing is read or sent before it is `true`. Any other value refuses. Default: given. */
    consent?: Consent;
    /** `"none"` keeps nothing in the browser; a returning visitor is then recognised less often. Default `"all"`. */
    storage?: "all" | "none" | undefined;
    /** Milliseconds for one whole run, retries included. Default 8000. */
    timeoutMs?: number | undefined;
};
export type RunOptions = {
    /** What the visitor is doing, e.g. `sign-in`: 1 to 64 of `A-Z a-z 0-9 . _ : -`. Default `default`. */
    surface?: string | undefined;
    /** Ends the wait of this call. */
    signal?: AbortSignal | undefined;
};
export type ImprintResult = {
    imprint: string;
};
export type ImprintClient = {
    /** Observes this browser and resolves to the imprint to send to your own server. Rejects with an `ImprintError` only. */
    run: (options?: RunOptions) => Promise<ImprintResult>;
};

/** Checks the options at once. Throws an `ImprintError` with code `invalid_config`. */
export declare const createImprint: (options: ImprintOptions) => ImprintClient;
/** Recognises the errors that `run()` rejects with. */
export declare const isImprintError: (error: unknown) => error is ImprintError;
export as namespace Imprint;
