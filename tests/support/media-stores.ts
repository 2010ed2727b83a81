import path from 'node:path';
import { createMediaStore } from '#app/media/store/create.server.ts';
import type { MediaStore } from '#app/media/store/media-store.ts';
import { parseEnv } from '#app/platform/env.server.ts';
import { hasRealS3, startRealS3 } from './s3/real-server.ts';
import { standInVariables, startS3StandIn } from './s3/stand-in.ts';
import { tempFolder } from './temp-folder.ts';

/** A separate media store for one test file. */
export interface TestStore {
  store: MediaStore;
  /** As environment variables. */
  variables: Record<string, string>;
  stop(): Promise<void>;
}

/** Every kind of store, by name → how to start one. The real S3 server is among them if it is installed, as in CI. */
export const mediaStores: [name: string, start: () => Promise<TestStore>][] = [
  ['a folder', async () => storeOf({ MEDIA_STORE: `file:${path.join(await tempFolder(), 'uploads')}` })],
  [
    'a strict S3 stand-in',
    async () => {
      const standIn = await startS3StandIn();
      return storeOf(standInVariables(standIn), () => standIn.close());
    },
  ],
  ...(hasRealS3 ? [['a real S3 server', startReal] satisfies [string, () => Promise<TestStore>]] : []),
];

async function startReal(): Promise<TestStore> {
  const real = await startRealS3();
  return storeOf(real.variables, () => real.stop());
}

function storeOf(variables: Record<string, string>, stop = async () => {}): TestStore {
  const env = parseEnv({ DATABASE_URL: 'file:unused.db', ...variables }, 'command');
  const store = createMediaStore(env.mediaStore);
  return {
    store,
    variables,
    async stop() {
      store.close();
      await stop();
    },
  };
}
