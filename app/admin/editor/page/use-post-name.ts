import { useEffect, type RefObject } from 'react';
import { useFormValues } from '#app/admin/editor/model/use-form-values.ts';
import { tabTitle } from '#app/admin/frame/page-title.ts';
import { useWords } from '#app/ui/words.ts';

const titleField = ['title'] as const;

/** What the editor's page is called: the post's title as it is typed. The browser's tab follows it. */
export function usePostName(
  form: RefObject<HTMLFormElement | null>,
  { values, isNew, siteTitle }: { values: Record<string, string>; isNew: boolean; siteTitle: string },
): string {
  const t = useWords();
  const { title } = useFormValues(form, titleField, values);
  const name = title.trim() || t(isNew ? 'New post' : 'Untitled');
  useEffect(() => {
    document.title = tabTitle(name, siteTitle);
  }, [name, siteTitle]);
  return name;
}
