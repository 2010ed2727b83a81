import * as z from 'zod';

/** The address of a picture in the media library, or `''`. */
export const pictureAddress = (label: string) =>
  z
    .string()
    .trim()
    .regex(
      /^(|\/uploads\/(?!.*\.\.)[\w./-]{1,200})$/,
      `${label} must be the address of a picture in the media library, such as /uploads/2026/11/….png.`,
    );
