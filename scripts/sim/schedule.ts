import {
  activate,
  type Activation,
  type Applied,
  drive,
  type Flow,
  readStatus,
  reconcile,
  type Step,
  type StepResult,
} from "@/lib/trials/domain/flow";
import { answerActivation, isKeyDeliverable } from "@/lib/trials/domain/answers";
import { isOpen } from "@/lib/trials/domain/intent";
import { DELIVERY_WINDOW_MS, TRANSITIONS, type TransitionTable, TRIAL_MS } from "@/lib/trials/domain/transitions";
import { Chain, type ChainBug, FAULT, type Payment } from "./chain";
import { randomOf } from "../common/random";
import { Store, type StoreBug, Violation } from "./store";

const START = Date.UTC(2026, 0, 1);
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const INTENTS = ["first", "second"] as const;
const QUIET_PASSES = 400;

/** A seeded bug: a table, a flow, a store or a chain reading that is wrong in one place. */
export type Bug = {
  table?: TransitionTable;
  activate?: typeof activate;
  store?: StoreBug;
  chain?: ChainBug;
};

export type Result = {
  violation: string | undefined;
  steps: number;
  crashes: number;
  paid: number;
  changes: ReadonlySet<string>;
};

type Process = {
  intentId: string;
  flow: Flow<unknown>;
  next: Step;
  /** The payment that this process would present. */
  payment: Payment | undefined;
  onDone: (result: never) => void;
};

/** Two purchases on one chain: clients, reconcilers and operators, interleaved in an order that the seed determines. */
class Schedule {
  private now = START;
  private readonly random: () => number;
  /** Short leases make processes lose them while still working. */
  private readonly leaseSeconds: number;
  private readonly chain: Chain;
  private readonly store: Store;
  private readonly processes: Process[] = [];
  private held: Payment[] = [];
  private readonly known = new Map<string, Payment>();
  private firstDelivery = new Map<string, number>();
  private hasFaults = true;
  private counter = 0;
  steps = 0;
  crashes = 0;

  constructor(
    seed: number,
    private readonly bug: Bug,
  ) {
    this.random = randomOf(seed);
    this.leaseSeconds = 2 + this.pick(40);
    const now = () => this.now;
    this.chain = new Chain(now, this.random, bug.chain);
    this.store = new Store({
      now,
      random: this.random,
      chain: this.chain,
      table: bug.table ?? TRANSITIONS,
      bug: bug.store,
    });
    for (const intentId of INTENTS) this.store.create(intentId);
  }

  private pick(below: number): number {
    return Math.floor(this.random() * below);
  }
  private anIntent(): string {
    return INTENTS[this.random() < 0.65 ? 0 : 1];
  }

  private sign(): Payment {
    this.counter += 1;
    const payment = {
      nonce: `n${this.counter}`,
      validBefore: new Date(this.now + (60 + this.pick(240)) * SECOND),
      isBad: this.random() < 0.15,
    };
    this.held = [...this.held, payment].slice(-3);
    this.known.set(payment.nonce, payment);
    return payment;
  }

  private paymentOf(nonce: string): Payment {
    const payment = this.known.get(nonce);
    if (!payment) throw new Error(`${nonce} was never signed`);
    return payment;
  }

  /** Simulates a database connection lost before the commit, or after it together with the answer. */
  private applyWithFaults(intentId: string, step: Extract<Step, { kind: "apply" }>): StepResult {
    const draw = this.hasFaults ? this.random() : 1;
    const isProvisioning = step.event.kind === "provisioned";
    if (draw < (isProvisioning ? 0.15 : 0.005)) throw FAULT;
    const applied = this.store.apply(intentId, step.event);
    if (draw > 0.99 && draw < 1) throw FAULT;
    return applied;
  }

  private check(process: Process): StepResult {
    const { payment, intentId } = process;
    if (!payment) return { kind: "unacceptable", reason: "nothing was presented" };
    if (this.hasFaults && this.random() < 0.05) throw FAULT;
    const owner = this.store.presentedBy(payment.nonce);
    if (owner !== undefined && this.bug.store !== "noNonceUnique") {
      return { kind: "used", by: owner === intentId ? "own" : "other" };
    }
    if (!this.chain.verify(payment) && this.bug.store !== "noNonceUnique") {
      return { kind: "unacceptable", reason: "not valid" };
    }
    this.counter += 1;
    const attempt = {
      attemptId: `a${this.counter}`,
      network: "chain",
      asset: "token",
      payer: "payer",
      nonce: payment.nonce,
      validBefore: payment.validBefore,
      startBlock: 0n,
    };
    return { kind: "acceptable", attempt, payload: {} };
  }

  private answer(process: Process): StepResult {
    const { next, intentId } = process;
    switch (next.kind) {
      case "apply":
        return this.applyWithFaults(intentId, next);
      case "check":
        return this.check(process);
      case "settle":
        return this.hasFaults ? this.chain.settle(this.paymentOf(next.attempt.nonce)) : { kind: "unclear" };
      case "read_chain":
        return this.chain.readVerdict(next.attempt, this.hasFaults);
      case "name_trial":
        this.counter += 1;
        return { trialId: `t${this.counter}`, workspaceId: `w${this.counter}` };
      case "wait":
        return this.random() < 0.7;
    }
  }

  private spawn<Result>(
    intentId: string,
    flow: Flow<Result>,
    onDone: (result: Result) => void = () => undefined,
    payment?: Payment,
  ): void {
    const first = flow.next();
    if (first.done) return;
    this.processes.push({ intentId, flow, next: first.value, payment, onDone });
  }

  private end(process: Process): void {
    this.processes.splice(this.processes.indexOf(process), 1);
  }

  /** Executes one step of one process; only injected faults may end it. */
  private advance(process: Process): void {
    this.steps += 1;
    let turn;
    try {
      const result = this.answer(process);
      turn = process.flow.next(result);
    } catch (error) {
      if (error !== FAULT) throw error;
      try {
        turn = process.flow.throw(error);
      } catch (thrown) {
        if (thrown !== FAULT) throw thrown;
        this.end(process);
        return;
      }
    }
    if (turn.done) {
      this.end(process);
      process.onDone(turn.value as never); // safe: flow and onDone came together
    } else process.next = turn.value;
  }

  private require(isKept: boolean, promise: string): void {
    if (!isKept) throw new Violation(promise);
  }

  private activate(intentId: string, payment: Payment | undefined): void {
    const flow = (this.bug.activate ?? activate)(payment !== undefined, this.leaseSeconds);
    const onDone = (activation: Activation) => {
      const { status } = this.store.intent(intentId);
      const answer = answerActivation(activation);
      this.require(
        answer !== "challenge" || isOpen({ status }),
        "a challenge is answered only while nothing is unresolved",
      );
      this.require(answer !== "active" || status === "active", "200 means active");
    };
    this.spawn(intentId, flow, onDone, payment);
  }

  private poll(intentId: string): void {
    const onDone = ({ intent, now }: Applied) => {
      if (!isKeyDeliverable(intent, now)) return;
      this.require(this.store.hasSealedKey(intentId), "a key is delivered while it is kept");
      const since = this.firstDelivery.get(intentId) ?? this.now;
      this.firstDelivery.set(intentId, since);
      this.require(this.now - since <= DELIVERY_WINDOW_MS, "the delivery window closes after an hour");
    };
    this.spawn(intentId, readStatus(this.leaseSeconds), onDone);
  }

  /** Possibly starts something new. */
  private maybeStart(): void {
    const draw = this.random();
    const intentId = this.anIntent();
    const replayed = this.held[this.pick(this.held.length)];
    if (draw < 0.1 && replayed) this.activate(intentId, replayed);
    else if (draw < 0.14) this.activate(intentId, this.sign());
    else if (draw < 0.15) this.activate(intentId, undefined);
    else if (draw < 0.19) this.spawn(intentId, reconcile("timer", this.leaseSeconds));
    else if (draw < 0.195) this.spawn(intentId, reconcile("operator", this.leaseSeconds));
    else if (draw < 0.22) this.poll(intentId);
    else if (draw < 0.223) this.spawn(intentId, drive({ kind: "revoked" }));
    else if (draw < 0.25) this.now += this.pick(40) * SECOND;
    else if (draw < 0.255) this.now += this.pick(2000) * SECOND;
    else if (draw < 0.256) this.now += this.pick(100) * HOUR;
    else if (draw < 0.26) this.now -= this.pick(5) * SECOND;
    else if (draw < 0.265 && replayed) this.chain.cancel(replayed.nonce);
    else if (draw < 0.285 && this.chain.landOne()) this.store.checkAll();
  }

  private disturbed(): void {
    const budget = 60 + this.pick(80);
    for (let turn = 0; turn < budget; turn += 1) {
      this.maybeStart();
      const process = this.processes[this.pick(this.processes.length)];
      if (!process) continue;
      if (this.random() < 0.3) this.now += SECOND;
      const draw = this.random();
      if (draw < 0.04) {
        this.crashes += 1;
        this.end(process);
      } else if (draw < 0.045) {
        this.crashes += this.processes.length;
        this.processes.length = 0;
      } else this.advance(process);
    }
  }

  private finish(): void {
    while (this.processes.length > 0) for (const process of [...this.processes]) this.advance(process);
  }

  private reconcileAll(): void {
    for (const intentId of INTENTS) this.spawn(intentId, reconcile("timer", this.leaseSeconds));
    this.finish();
  }

  /** Stops all faults: everything that was started must finish. */
  private quiet(): void {
    this.hasFaults = false;
    this.processes.length = 0;
    while (this.chain.landOne()) this.store.checkAll();
    for (let pass = 0; pass < QUIET_PASSES; pass += 1) {
      this.reconcileAll();
      if (INTENTS.every((intentId) => !this.store.intent(intentId).leaseUntil)) break;
      this.now += 31 * SECOND;
    }
  }

  run(): void {
    this.disturbed();
    this.quiet();
    for (let pass = 0; pass < 20; pass += 1) {
      this.now += 31 * SECOND;
      this.reconcileAll();
    }
    this.store.checkQuiet();
    for (const intentId of INTENTS) this.poll(intentId);
    this.finish();
    this.now += TRIAL_MS;
    for (const intentId of INTENTS) this.spawn(intentId, drive({ kind: "tick" }));
    this.finish();
    this.store.checkEnded();
  }

  get outcome(): Omit<Result, "violation"> {
    return { steps: this.steps, crashes: this.crashes, paid: this.chain.paid.size, changes: this.store.changes };
  }
}

/** Runs one schedule, determined by its seed alone. */
export function runSchedule(seed: number, bug: Bug = {}): Result {
  const schedule = new Schedule(seed, bug);
  try {
    schedule.run();
    return { violation: undefined, ...schedule.outcome };
  } catch (error) {
    // A bug may also cause a plain error. That counts as found too, since it is not an injected fault.
    const violation = error instanceof Violation ? error.message : `unexpected: ${String(error)}`;
    return { violation, ...schedule.outcome };
  }
}
