// Uses the client of @hey-api/openapi-ts. Prints what its calls came to, as JSON.

import { generatePage, generatePdf, generatePng, generateSvg, listFonts, previewPage, readSpecimen, readStatus } from "./longhand_client";
import { client } from "./longhand_client/client.gen";

const [address, key] = process.argv.slice(2);

const start = async (file: Blob) => Buffer.from(await file.arrayBuffer()).toString("hex", 0, 4);

async function main() {
  client.setConfig({ baseUrl: address, auth: key });
  const request = { text: "Hello", page_size: "card_96x135", seed: 7 } as const;
  const page = await generatePage({ body: request, throwOnError: true });
  const png = await generatePng({ body: request, throwOnError: true });
  const pdfRequest = { text: "Hello", page_size: "a6", pdf: { writing: "outlines" } } as const;
  const pdf = await generatePdf({ body: pdfRequest, throwOnError: true });

  const svgRequest = { text: "Hello", page_size: "a6", svg: { group_by: "word" } } as const;
  const svg = await generateSvg({ body: svgRequest, throwOnError: true });

  const refusals: string[][] = [];
  for (const generate of [generatePage, generatePng, generatePdf, generateSvg]) {
    const { response, error } = await generate({ body: { text: "", font_id: 91 } });
    if (error?.error !== "VALIDATION_ERROR") throw new Error(String(response?.status));
    refusals.push([String(response?.status), ...error.details.map((detail) => detail.field).sort()]);
  }

  const preview = await previewPage({ body: { text: "Hello" }, throwOnError: true });
  const fonts = await listFonts({ throwOnError: true });
  const stranger = await generatePage({ body: request, auth: "lh_nobody" });
  const specimen = await readSpecimen({ path: { id: 3 }, throwOnError: true });
  const status = await readStatus({ throwOnError: true });
  const { width, height, seed, image_base64 } = page.data;
  console.log(
    JSON.stringify({
      page: [width, height, seed, Buffer.from(image_base64, "base64").toString("hex", 0, 4)],
      png: [await start(png.data), png.response.headers.get("x-width"), png.response.headers.get("x-seed")],
      pdf: [await start(pdf.data), pdf.response.headers.get("x-writing")],
      svg: [await start(svg.data), svg.response.headers.get("x-writing")],
      refusals,
      preview: preview.data.preview_width,
      fonts: [fonts.data.total, fonts.data.fonts[0]?.name],
      stranger: stranger.error?.error,
      specimen: [specimen.response.status, await start(specimen.data)],
      status: status.data.status,
    }),
  );
}

void main();
