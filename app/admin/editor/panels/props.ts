import type { RefObject } from 'react';
import type { EditorData } from '#app/admin/editor/model/data.server.ts';
import type { AdminContext } from '#app/admin/frame/screen.ts';
import type { FieldErrors } from '#app/platform/errors.ts';
import type { Message } from '#app/platform/message.ts';
import type { EditedText } from '#app/posts/fields/states.ts';

export interface PanelProps {
  data: EditorData;
  edit: EditedText;
  adminContext: AdminContext;
  form: RefObject<HTMLFormElement | null>;
  values: Record<string, string>;
  errors: FieldErrors;
  field: (name: string) => { name: string; defaultValue: string | undefined; errors: Message[] | undefined };
}
