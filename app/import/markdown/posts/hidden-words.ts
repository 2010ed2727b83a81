// What people call a post that is not public, in the languages of the backend.
const words = [
  ...['drafts?', 'drafting', 'private', 'wip', 'hidden', 'unlisted', 'unpublished', 'unreleased', 'pending'],
  ...['internal', 'secret', 'confidential', 'embargo(?:ed)?', 'protected', 'restricted', 'members?', 'paid'],
  ...['trash(?:ed)?', 'deleted', 'removed', 'retracted', 'withdrawn', 'unfinished', 'incomplete', 'offline'],
  ...[
    'progress',
    '(?:in|to|needs?|under|for) review',
    'todo',
    'to do',
    'on hold',
    '(?:not|never|do not|don t|to be) publish(?:ed)?',
  ],
  ...['not (?:yet|public|ready|done|finished|listed|released)'],
  ...['entwurf', 'entwürfe', 'privat', 'versteckt', 'verborgen', 'geheim', 'unveröffentlicht', 'intern'],
  ...['(?:in|noch in) (?:arbeit|bearbeitung|prüfung)', 'nicht (?:öffentlich|veröffentlicht|fertig)'],
  ...['brouillon', 'privée?', 'cachée?', 'masquée?', 'en cours', 'en attente', 'non (?:publié|répertorié)e?'],
  ...['borrador', 'privad[oa]', 'ocult[oa]', 'pendiente', 'en (?:progreso|curso|revisión)', 'sin publicar'],
  ...['rascunho', 'pendente', 'em (?:andamento|progresso|revisão)', 'não (?:publicado|listado)'],
  ...['bozza', 'privat[oa]', 'nascost[oa]', 'in (?:corso|attesa|revisione)', 'non pubblicat[oa]'],
  ...['concept', 'privé', 'in behandeling', 'niet gepubliceerd', 'utkast', 'kladde', 'luonnos'],
  ...['szkic', 'robocz[ya]', 'prywatn[ya]', 'ukryt[ya]', 'nieopublikowan[ya]', 'taslak', 'gizli', 'özel'],
  ...[
    'черновик',
    'скрыт[оаы]?',
    'скрытый',
    'приватн\\p{L}*',
    'в работе',
    'не опубликован\\p{L}*',
    'чернетка',
  ],
  ...['مسودة', 'خاص', 'مخفي', 'טיוטה', 'פרטי', 'ड्राफ़्ट', 'प्रारूप', 'निजी'],
];
/** Scripts that write no spaces between words. */
const unspaced = [
  ...['下書き', '草稿', '非公開', '未公開', '限定公開', '作成中', '執筆中', '私密', '私有', '隐藏', '隱藏'],
  ...['未发布', '未發布', '未发表', '未發表', '不公开', '不公開', '待审', '待審', '초안', '비공개', '임시'],
];
const hidden = new RegExp(
  String.raw`^review(?:ing)?$|(?<![\p{L}\p{N}\p{M}])(?:${words.join('|')})(?![\p{L}\p{N}\p{M}])|${unspaced.join('|')}`,
  'u',
);

/** True for the name of a state, as people write it, that clearly does not mean public: `WIP`, `[[Draft]]`, `in progress`. */
export function meansHidden(state: string): boolean {
  return hidden.test(
    state
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' '),
  );
}
