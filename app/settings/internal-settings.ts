import { text } from '#app/platform/text/schemas.ts';
import { define } from './definition.ts';

/** Values that the application writes itself. */
export const internalSettings = {
  old_posts_paths: define({
    group: 'internal',
    label: 'Former post list addresses',
    control: 'text',
    schema: text(5_000, 'Former addresses').transform((value) => value.split('\n').filter(Boolean)),
    default: '',
  }),
  indexnow_key: define({
    group: 'internal',
    label: 'Key of IndexNow',
    control: 'line',
    schema: text(128, 'Key'),
    default: '',
    hidden: true,
  }),
  demo_content: define({
    group: 'internal',
    label: 'Demo posts',
    control: 'text',
    schema: text(10_000, 'Demo posts'),
    default: '',
    hidden: true,
  }),
} as const;
