const english = {
  skipToContent: 'Skip to content',
  mainNavigation: 'Main',
  archive: 'Archive',
  categories: 'Categories',
  tags: 'Tags',
  allCategories: 'All categories',
  allTags: 'All tags',
  feed: 'RSS feed',
  search: {
    label: 'Search',
    placeholder: 'Search posts',
    button: 'Search',
    heading: 'Search',
    /** `shown`: the count, as `1,000+` where nobody counted further. */
    results: (count: number, query: string, shown: string) =>
      `${count === 1 ? '1 result' : `${shown} results`} for “${query}”`,
    inAll: 'All',
    prompt: 'Type a word or two; titles, texts, tags and authors are searched.',
    nothing: (query: string) => `Nothing was found for “${query}”.`,
    notAsTyped: (query: string) => `(“${query}” itself was not found.)`,
    nothingHint: 'Try fewer or other words, or look through the archive.',
    degraded:
      'The search engine does not answer at the moment. These results come from titles and excerpts only.',
    category: 'Category',
    tag: 'Tag',
  },
  post: {
    readingTime: (minutes: number) => `${minutes} min read`,
    updated: (date: string) => `Updated ${date}`,
    contents: 'Contents',
    older: 'Older',
    newer: 'Newer',
    moreStories: 'Older and newer posts',
    related: 'Related posts',
    comments: (count: number) => (count === 1 ? '1 comment' : `${count} comments`),
    anonymous: 'Anonymous',
    preview: 'Preview: this post is not public yet. The link expires.',
  },
  lists: {
    latest: 'Latest posts',
    category: 'Category',
    tag: 'Tag',
    author: 'Author',
    count: (count: number) => (count === 1 ? '1 post' : `${count} posts`),
    empty: 'Nothing has been published here yet.',
    years: 'Years',
    pages: 'Pages',
    pageOf: (page: number, pageCount: number) => `Page ${page} of ${pageCount}`,
    page: (page: number) => `Page ${page}`,
  },
  errors: {
    notFound: {
      heading: 'Page not found',
      text: 'There is nothing at this address. It may have moved, or it never was.',
    },
    failed: {
      heading: 'Something went wrong',
      text: 'The page could not be shown. Please try again in a moment.',
    },
    notAllowed: { heading: 'Not allowed', text: 'This address can only be read.' },
    unavailable: {
      heading: 'Back in a moment',
      text: 'The site cannot be reached just now. Nothing is lost; please try again in a moment.',
    },
    recent: 'Perhaps one of these?',
    toHome: 'To the home page',
  },
};

/** Every built-in text of the public site. */
export type Messages = typeof english;

const chinese: Messages = {
  skipToContent: '跳到正文',
  mainNavigation: '主导航',
  archive: '归档',
  categories: '分类',
  tags: '标签',
  allCategories: '全部分类',
  allTags: '全部标签',
  feed: 'RSS 订阅',
  search: {
    label: '搜索',
    placeholder: '搜索文章',
    button: '搜索',
    heading: '搜索',
    results: (_count, query, shown) => `“${query}”共有 ${shown} 条结果`,
    inAll: '全部',
    prompt: '输入一两个词，将在标题、正文、标签和作者中查找。',
    nothing: (query) => `没有找到与“${query}”相关的内容。`,
    notAsTyped: (query) => `（没有找到“${query}”本身。）`,
    nothingHint: '请减少或更换关键词，也可以浏览归档。',
    degraded: '搜索引擎暂时没有响应，以下结果仅来自标题和摘要。',
    category: '分类',
    tag: '标签',
  },
  post: {
    readingTime: (minutes) => `阅读约 ${minutes} 分钟`,
    updated: (date) => `更新于 ${date}`,
    contents: '目录',
    older: '较早',
    newer: '较新',
    moreStories: '较早与较新的文章',
    related: '相关文章',
    comments: (count) => `${count} 条评论`,
    anonymous: '匿名',
    preview: '预览：本文尚未公开，此链接会过期。',
  },
  lists: {
    latest: '最新文章',
    category: '分类',
    tag: '标签',
    author: '作者',
    count: (count) => `${count} 篇文章`,
    empty: '这里还没有发布任何文章。',
    years: '年份',
    pages: '分页',
    pageOf: (page, pageCount) => `第 ${page} 页，共 ${pageCount} 页`,
    page: (page) => `第 ${page} 页`,
  },
  errors: {
    notFound: { heading: '页面不存在', text: '这个地址没有内容。它可能已被移动，也可能从未存在。' },
    failed: { heading: '出了点问题', text: '页面暂时无法显示，请稍后再试。' },
    notAllowed: { heading: '不允许的操作', text: '这个地址只能读取。' },
    unavailable: { heading: '马上回来', text: '网站暂时无法访问，内容不会丢失，请稍后再试。' },
    recent: '或许您想看这些？',
    toHome: '回到首页',
  },
};

/** The texts for a BCP 47 language: Chinese for every `zh`, else English. */
export function messagesFor(language: string | undefined): Messages {
  return /^zh\b/i.test(language ?? '') ? chinese : english;
}
