import { attempt, within } from "./read";

const DATABASE = "imprint";
const DATABASE_WAIT_MS = 400;
const LOCK_WAIT_MS = 500;
/** 400 days: the longest life that browsers grant a cookie. */
const COOKIE_MAX_AGE_SECONDS = 34_560_000;

/** Characters that a cookie takes as they are; anything else was not written by this component. */
const isToken = (value: unknown): value is string => typeof value === "string" && /^[\w.~+/=:-]{1,1024}$/.test(value);

const settled = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => {
      resolve(request.result);
    };
    request.onerror = reject;
  });

const openDatabase = () => {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore(DATABASE);
  };
  return settled(opening);
};

/** What `work` comes to; undefined where it fails or hangs, as databases do in some private windows. */
const inTime = <T>(work: () => Promise<T>) => within(work, DATABASE_WAIT_MS).catch(() => undefined);

export type TokenStore = {
  /** The token of the place that answers at once. */
  read: () => string | undefined;
  /** Stores `token` everywhere: whatever lost it is healed. An empty one is forgotten everywhere. */
  write: (token: string) => void;
  /** Does `work` while no other tab does, or all the same where that cannot be had. */
  lock: <T>(work: (isLocked: boolean) => Promise<T>) => Promise<T>;
  /**
   * For a token that the service just issued in place of `refused`, or of none: the token that another tab stored
   * meanwhile or that the database kept, so that tabs which start together share one; else `issued`. It is stored.
   */
  share: (issued: string, refused: string | undefined) => Promise<string>;
};

export const openTokenStore = (environmentId: string): TokenStore => {
  const key = `imprint_${environmentId.slice(4)}`;

  const readAll = () =>
    [
      attempt(() => localStorage.getItem(key)),
      attempt(() => new RegExp(`(?:^|; )${key}=([^;]*)`).exec(document.cookie)?.[1]),
    ].filter(isToken);

  const writeNow = (token: string) => {
    attempt(() => {
      if (token) localStorage.setItem(key, token);
      else localStorage.removeItem(key);
    });
    attempt(() => {
      const secure = location.protocol === "https:" ? ";Secure" : "";
      document.cookie = `${key}=${token};Path=/;Max-Age=${token ? COOKIE_MAX_AGE_SECONDS : 0};SameSite=Lax${secure}`;
    });
  };

  /** Puts what `choose` makes of the stored token, in one transaction that no other tab can interleave. */
  const exchange = (choose: (stored: unknown) => string) =>
    inTime(async () => {
      const database = await openDatabase();
      const store = database.transaction(DATABASE, "readwrite").objectStore(DATABASE);
      // Takes effect when the transaction has ended.
      database.close();
      const chosen = choose(await settled<unknown>(store.get(key)));
      await settled(store.put(chosen, key));
      return chosen;
    });

  /**
   * Writes `token` to the quick places: whether both give it back, so that the next tab to hold the lock finds it,
   * and no database knows better. Then a first visit need not make one before it is submitted.
   */
  const isEnough = async (token: string) => {
    writeNow(token);
    const isKept = readAll().filter((kept) => kept === token).length > 1;
    return isKept && (await inTime(() => indexedDB.databases()))?.every(({ name }) => name !== DATABASE);
  };

  const settle = async (issued: string, refused: string | undefined, isLocked: boolean) => {
    const isOther = (token: unknown): token is string => isToken(token) && token !== refused;
    const found = readAll().find(isOther);
    if (!found && isLocked && (await isEnough(issued))) return issued;
    const token = found ?? (await exchange((stored) => (isOther(stored) ? stored : issued))) ?? issued;
    writeNow(token);
    return token;
  };

  const lock = async <T>(work: (isLocked: boolean) => Promise<T>): Promise<T> => {
    let working: Promise<T> | undefined;
    const once = (held?: unknown) => (working ??= work(!!held));
    try {
      return await navigator.locks.request(key, { signal: AbortSignal.timeout(LOCK_WAIT_MS) }, once);
    } catch {
      // No Web Locks here, or a tab that sleeps holds the lock: the database transaction alone decides.
      return once();
    }
  };

  return {
    lock,
    read: () => readAll()[0],
    write: (token) => {
      writeNow(token);
      // Opening a database takes milliseconds: the run ends first.
      setTimeout(() => {
        void exchange(() => token);
      });
    },
    share: (issued, refused) => lock((isLocked) => settle(issued, refused, isLocked)),
  };
};
