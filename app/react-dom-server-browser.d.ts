// @types/react-dom 18 leaves this entry out; it has the same functions as `react-dom/server` has for browsers.
declare module 'react-dom/server.browser' {
  export { renderToReadableStream } from 'react-dom/server';
}
