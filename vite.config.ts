import { vitePlugin as remix } from '@remix-run/dev';
import { defineConfig } from 'vite';
import { siteAddressesInDevelopment } from './app/web/dev-addresses.ts';

declare module '@remix-run/node' {
  interface Future {
    v3_singleFetch: true;
  }
}

export default defineConfig({
  plugins: [
    siteAddressesInDevelopment(),
    remix({
      // `build.mjs` builds beside the last build.
      buildDirectory: process.env.BUILD_DIRECTORY ?? 'build',
      future: {
        v3_fetcherPersist: true,
        v3_relativeSplatPath: true,
        v3_throwAbortReason: true,
        v3_singleFetch: true,
        v3_routeConfig: true,
        // The backend is one splat route and readers get no script: nothing to discover.
        v3_lazyRouteDiscovery: false,
      },
    }),
  ],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    sourcemap: false,
    rollupOptions: {
      onwarn(warning, warn) {
        // Routes without a component (feeds, API) leave nothing for the browser; that is as it should be.
        // zod's own sources carry comments that Rollup cannot place; nobody here can mend them.
        if (warning.code !== 'EMPTY_BUNDLE' && warning.code !== 'INVALID_ANNOTATION') warn(warning);
      },
    },
  },
  ssr: { noExternal: [] },
});
