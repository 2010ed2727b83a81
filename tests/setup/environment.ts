// Tests set their environment; variables of the developer's shell must not leak in.
import { environmentSchema } from '#app/platform/env.server.ts';

for (const name of Object.keys(environmentSchema.shape)) {
  if (name !== 'NODE_ENV') Reflect.deleteProperty(process.env, name);
}
