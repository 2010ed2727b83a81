/** Limits of a submitted form. The screen table names the screens with larger limits. */
export interface FormLimits {
  /** Limit of the body as it is sent. Percent-encoding turns one byte into up to three. */
  bytes: number;
  fields: number;
}

const KB = 1024;

/** Forms that need no login. */
export const openFormLimits: FormLimits = { bytes: 64 * KB, fields: 50 };

/** Forms of logged-in users. The largest setting has room for 20,000 characters of 4 bytes. */
export const formLimits: FormLimits = { bytes: 256 * KB, fields: 200 };

/** The post form: a percent-encoded text of 2 MB, and the other fields. */
export const postFormLimits: FormLimits = { bytes: 3 * 2 * KB * KB + 512 * KB, fields: 200 };

/** 200 chosen posts, each with the version that the page showed. */
export const bulkFormLimits: FormLimits = { bytes: 256 * KB, fields: 450 };

/** A release: its fields, and the posts that it may contain. */
export const releaseFormLimits: FormLimits = { bytes: 256 * KB, fields: 1_020 };

/** A login form that contains a pending submission. */
export const pendingLimits: FormLimits = { bytes: 2 * KB * KB, fields: 450 };
