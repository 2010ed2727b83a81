// Runs for each test file, also where files share their modules.
import { afterAll } from 'vitest';
import { fileEnds } from '#tests/support/file-end.ts';

afterAll(fileEnds);
