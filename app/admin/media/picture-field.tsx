import { useRef, useState, type ComponentProps } from 'react';
import { TextField } from '#app/ui/field.tsx';
import { useLoaded } from '#app/ui/use-loaded.ts';
import { useScripted } from '#app/ui/use-scripted.ts';
import { useWords } from '#app/ui/words.ts';
import { adminUrl } from '../admin-url.ts';

const loadLibrary = () => import('../editor/library-dialog.tsx').then(({ LibraryDialog }) => LibraryDialog);

/** The address of a picture. People type it or, with scripts, choose it from the media library. */
export function PictureField({
  adminPath,
  ...field
}: { adminPath: string } & Omit<ComponentProps<typeof TextField>, 'id'>) {
  const t = useWords();
  const scripted = useScripted();
  const container = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const LibraryDialog = useLoaded(isOpen, loadLibrary, () => setIsOpen(false));
  const fill = (address: string) => {
    const control = container.current?.querySelector<HTMLInputElement>(`[name="${field.name}"]`);
    if (!control) return;
    control.value = address;
    control.focus();
  };
  return (
    <div className="picture-field" ref={container}>
      <TextField {...field} />
      <button
        type="button"
        className={scripted ? undefined : 'waits-for-script'}
        onClick={() => setIsOpen(true)}
      >
        {t('Choose a picture')}
      </button>
      {LibraryDialog ? (
        <LibraryDialog
          findUrl={adminUrl(adminPath, 'find')}
          mediaUrl={adminUrl(adminPath, 'media')}
          several={false}
          kind="image"
          onChoose={([picture]) => picture && fill(picture.src)}
          onClose={() => setIsOpen(false)}
        />
      ) : null}
    </div>
  );
}
