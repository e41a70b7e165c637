// FreeType and Blend2D as peers of the benchmark `pages`, and ISA-L's igzip as the encoder of all fast peers.
//
// Reads orders from standard input, each a line of words; numbers of lengths are in device px, y down:
//
//   page NAME WIDTH HEIGHT SHAPES PLACES REPEATS   defines a page; SHAPES lines and PLACES lines follow
//   N COMMAND...                                   a shape: N commands of M x y, L x y, C x y x y x y and Z
//   SHAPE a b c d e f                              a place: x' = a x + c y + e, y' = b x + d y + f
//   draw NAME PROGRAM THREADS FORMAT               draws it with `freetype` or `blend2d` into a PNG, `rgba` or `indexed`
//   encode WIDTH HEIGHT BYTES THREADS FORMAT       encodes the pixels that follow, BYTES (1 or 4) each, alpha last
//
// REPEATS is 1 if shapes are the same on every page, so that a cache of glyphs helps, and 0 if each page has its own.
// The ink is black. The answer is a line, "WALL_NS CPU_NS BYTES", and the file.
//
// How each is used, as fast as its authors mean it:
// - FreeType: bitmaps of glyphs are kept for each quarter of a px in x and y (one service keeps them from page to page),
//   and laid on the page by "source over". Shapes that do not repeat are drawn where they stand. Each thread draws and
//   packs a part of the page.
// - Blend2D: paths are kept, an A8 image is filled by a context with this many threads.
// - igzip: level 0 with its own tables, its fastest (level 1 takes 0.3 ms more, and makes files a third smaller); rows with
//   filter 0. Rows without ink are neither written again nor summed up.

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H
#include <isa-l.h>
#ifdef WITH_BLEND2D
#include <blend2d/blend2d.h>
#endif

#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <string>
#include <thread>
#include <vector>

using Bytes = std::vector<uint8_t>;

[[noreturn]] static void fail(const std::string &what) {
    std::cerr << "native peers: " << what << std::endl;
    std::exit(1);
}

struct Command {
    char kind;
    double at[6];
};

struct Place {
    size_t shape;
    double map[6];
};

struct Bitmap {
    int left, top, width, height;
    Bytes coverage;
};

struct Page {
    int width, height;
    bool repeats;
    std::vector<std::vector<Command>> shapes;
    std::vector<Place> places;
    // Bitmaps of shapes by quarters of a px, for one scale of the page.
    std::map<size_t, Bitmap> glyphs;
#ifdef WITH_BLEND2D
    std::vector<BLPath> paths;
#endif
};

// ---- Encoding

static const int ROWS_AT_ONCE = 64;

/// What a part of a page became: blocks of a deflate stream, and the checksum of what they hold. Memory is kept from page
/// to page.
struct Packed {
    Bytes blocks;
    size_t size;
    uint32_t adler;
    uint64_t length;
    Bytes buffer;
};

static bool has_ink(const uint8_t *row, size_t bytes) {
    uint64_t seen = 0;
    size_t at = 0;
    for (; at + 8 <= bytes; at += 8) {
        uint64_t word;
        memcpy(&word, row + at, 8);
        seen |= word;
    }
    for (; at < bytes; at++) seen |= row[at];
    return seen != 0;
}

/// The checksum of bytes with the checksum `sum`, and `count` zeros behind them (RFC 1950, 8.2).
static uint32_t with_zeros(uint32_t sum, uint64_t count) {
    const uint64_t low = sum & 0xffff, high = sum >> 16;
    return uint32_t(low | (high + count % 65521 * low) % 65521 << 16);
}

/// The checksum of two strings of bytes, the second of `length` bytes, one behind the other.
static uint32_t both(uint32_t first, uint32_t second, uint64_t length) {
    const uint32_t shifted = with_zeros(first, length);
    const uint64_t low = (shifted & 0xffff) + (second & 0xffff) + 65520, high = (shifted >> 16) + (second >> 16);
    // Those of the second began with 1, which counts in each of its bytes.
    return uint32_t(low % 65521 | (high + 65521 - length % 65521) % 65521 << 16);
}

/// Rows of pixels of `bytes` bytes each, of which the last is the alpha; `stride` bytes from row to row.
struct Pixels {
    const uint8_t *first;
    int width, bytes;
    size_t stride;
};

/// Packs the rows `from` to `to`.
static void pack(Packed &packed, const Pixels &pixels, int from, int to, bool indexed, bool is_last) {
    const int width = pixels.width, bytes = pixels.bytes, rows = to - from;
    const size_t source_row = size_t(width) * bytes, row_bytes = 1 + size_t(width) * (indexed ? 1 : 4);
    packed.blocks.resize(std::max(packed.blocks.size(), row_bytes * rows / 8 + 65536));
    packed.buffer.resize(row_bytes * ROWS_AT_ONCE);
    packed.adler = 1;
    packed.length = row_bytes * rows;
    isal_zstream stream;
    isal_deflate_init(&stream);
    stream.next_out = packed.blocks.data();
    stream.avail_out = packed.blocks.size();
    // Of what the buffer has nothing is known.
    std::vector<bool> is_blank(ROWS_AT_ONCE, false);
    for (int first = 0; first < rows; first += ROWS_AT_ONCE) {
        const int count = std::min(ROWS_AT_ONCE, rows - first);
        for (int at = 0; at < count; at++) {
            const uint8_t *source = pixels.first + pixels.stride * (from + first + at);
            uint8_t *row = &packed.buffer[row_bytes * at];
            if (!has_ink(source, source_row)) {
                if (!is_blank[at]) memset(row, 0, row_bytes);
                is_blank[at] = true;
                packed.adler = with_zeros(packed.adler, row_bytes);
                continue;
            }
            is_blank[at] = false;
            row[0] = 0;
            if (indexed && bytes == 1) {
                memcpy(row + 1, source, width);
            } else if (indexed) {
                for (int x = 0; x < width; x++) row[1 + x] = source[x * 4 + 3];
            } else {
                // The ink is black: of a pixel only its alpha is not zero.
                for (int x = 0; x < width; x++) {
                    const uint32_t pixel = uint32_t(source[x * bytes + bytes - 1]) << 24;
                    memcpy(row + 1 + x * 4, &pixel, 4);
                }
            }
            packed.adler = isal_adler32(packed.adler, row, row_bytes);
        }
        const bool ends = first + count == rows;
        stream.next_in = packed.buffer.data();
        stream.avail_in = row_bytes * count;
        stream.end_of_stream = ends && is_last;
        stream.flush = ends && !is_last ? FULL_FLUSH : NO_FLUSH;
        if (isal_deflate(&stream) != COMP_OK || stream.avail_in != 0) fail("igzip failed");
    }
    packed.size = packed.blocks.size() - stream.avail_out;
}

static void put(Bytes &file, uint32_t number) {
    for (int shift = 24; shift >= 0; shift -= 8) file.push_back(uint8_t(number >> shift));
}

static void chunk(Bytes &file, const char *kind, const Bytes &body) {
    put(file, body.size());
    const size_t start = file.size();
    file.insert(file.end(), kind, kind + 4);
    file.insert(file.end(), body.begin(), body.end());
    put(file, crc32_gzip_refl(0, &file[start], file.size() - start));
}

/// The PNG of parts that follow each other.
static Bytes framed(int width, int height, bool indexed, const std::vector<Packed> &parts) {
    Bytes file{0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'}, head, stream{0x78, 0x01};
    put(head, width);
    put(head, height);
    for (uint8_t byte : {8, indexed ? 3 : 6, 0, 0, 0}) head.push_back(byte);
    chunk(file, "IHDR", head);
    if (indexed) {
        Bytes alphas(256);
        for (int alpha = 0; alpha < 256; alpha++) alphas[alpha] = alpha;
        chunk(file, "PLTE", Bytes(3 * 256));
        chunk(file, "tRNS", alphas);
    }
    uint32_t adler = 1;
    for (const Packed &part : parts) {
        stream.insert(stream.end(), part.blocks.begin(), part.blocks.begin() + part.size);
        adler = both(adler, part.adler, part.length);
    }
    put(stream, adler);
    chunk(file, "IDAT", stream);
    chunk(file, "IEND", {});
    return file;
}

/// Has each thread do its part of the rows.
template <typename Work> static void in_parts(int height, int threads, Work work) {
    std::vector<std::thread> others;
    const auto border = [&](int part) { return height * part / threads; };
    for (int part = 1; part < threads; part++) others.emplace_back([=] { work(part, border(part), border(part + 1)); });
    work(0, 0, border(1));
    for (std::thread &other : others) other.join();
}

static Bytes encoded(const Pixels &pixels, int height, int threads, bool indexed) {
    static std::vector<Packed> parts;
    parts.resize(threads);
    in_parts(height, threads, [&](int part, int from, int to) {
        pack(parts[part], pixels, from, to, indexed, to == height);
    });
    return framed(pixels.width, height, indexed, parts);
}

// ---- FreeType

/// No shape reaches further from its start than this.
static const double REACH = 200;

/// The coverage of a shape by FreeType's rasteriser, at this place.
static Bitmap rasterised(FT_Library library, const std::vector<Command> &shape, const double (&map)[6]) {
    std::vector<FT_Vector> points;
    std::vector<char> tags;
    std::vector<short> ends;
    const auto add = [&](const double *at, char tag) {
        const double x = map[0] * at[0] + map[2] * at[1] + map[4], y = map[1] * at[0] + map[3] * at[1] + map[5];
        points.push_back({FT_Pos(std::lround(x * 64)), FT_Pos(std::lround(-y * 64))});
        tags.push_back(tag);
    };
    for (const Command &command : shape) {
        if (command.kind == 'Z') {
            ends.push_back(short(points.size()) - 1);
        } else if (command.kind == 'C') {
            for (int point = 0; point < 3; point++)
                add(command.at + 2 * point, point == 2 ? FT_CURVE_TAG_ON : FT_CURVE_TAG_CUBIC);
        } else {
            add(command.at, FT_CURVE_TAG_ON);
        }
    }
    FT_Outline outline{};
    outline.n_contours = short(ends.size());
    outline.n_points = short(points.size());
    outline.points = points.data();
    outline.tags = tags.data();
    outline.contours = ends.data();
    FT_BBox box;
    FT_Outline_Get_CBox(&outline, &box);
    const long left = box.xMin >> 6, bottom = box.yMin >> 6, right = (box.xMax + 63) >> 6, top = (box.yMax + 63) >> 6;
    Bitmap bitmap{int(left), int(-top), int(right - left), int(top - bottom), {}};
    bitmap.coverage.resize(size_t(bitmap.width) * bitmap.height);
    FT_Outline_Translate(&outline, -left * 64, -bottom * 64);
    FT_Bitmap target{};
    target.rows = bitmap.height;
    target.width = bitmap.width;
    target.pitch = bitmap.width;
    target.buffer = bitmap.coverage.data();
    target.num_grays = 256;
    target.pixel_mode = FT_PIXEL_MODE_GRAY;
    if (bitmap.width > 0 && FT_Outline_Get_Bitmap(library, &outline, &target)) fail("FreeType cannot draw a shape");
    return bitmap;
}

/// Lays a bitmap on the rows from `from` to `to`, by "source over".
static void lay(const Bitmap &bitmap, int left, int top, uint8_t *page, int width, int from, int to) {
    const int first = std::max(0, -left), last = std::min(bitmap.width, width - left);
    for (int y = std::max(0, from - top); y < std::min(bitmap.height, to - top); y++) {
        const uint8_t *source = &bitmap.coverage[size_t(y) * bitmap.width];
        uint8_t *row = page + size_t(top + y) * width + left;
        for (int x = first; x < last; x++) {
            const uint32_t over = 255 - source[x], under = row[x] * over + 128;
            row[x] = uint8_t(source[x] + ((under + (under >> 8)) >> 8));
        }
    }
}

static Bytes draw_freetype(Page &page, int threads, bool indexed) {
    static std::vector<FT_Library> libraries;
    while (int(libraries.size()) < threads) {
        libraries.emplace_back();
        if (FT_Init_FreeType(&libraries.back())) fail("FreeType does not start");
    }
    static Bytes pixels;
    pixels.resize(size_t(page.width) * page.height);
    const auto quarters = [](double at) { return long(std::floor(at * 4 + 0.5)); };
    if (page.repeats && page.glyphs.empty()) {
        // The cache of a service is warm.
        for (const Place &place : page.places)
            for (size_t step = 0; step < 16; step++) {
                const double *map = place.map;
                const double at[6] = {map[0], map[1], map[2], map[3], double(step & 3) / 4, double(step >> 2) / 4};
                if (!page.glyphs.count(place.shape * 16 + step))
                    page.glyphs[place.shape * 16 + step] = rasterised(libraries[0], page.shapes[place.shape], at);
            }
    }
    static std::vector<Packed> parts;
    parts.resize(threads);
    in_parts(page.height, threads, [&](int part, int from, int to) {
        memset(&pixels[size_t(from) * page.width], 0, size_t(to - from) * page.width);
        for (const Place &place : page.places) {
            if (page.repeats) {
                const long x = quarters(place.map[4]), y = quarters(place.map[5]);
                const Bitmap &bitmap = page.glyphs.at(place.shape * 16 + (y & 3) * 4 + (x & 3));
                lay(bitmap, int(x >> 2) + bitmap.left, int(y >> 2) + bitmap.top, pixels.data(), page.width, from, to);
            } else {
                // The start of the outline tells whose part it is; what crosses the border is drawn by both.
                const double *at = page.shapes[place.shape].front().at;
                const double y = place.map[1] * at[0] + place.map[3] * at[1] + place.map[5];
                if (y + REACH < from || y - REACH > to) continue;
                const Bitmap bitmap = rasterised(libraries[part], page.shapes[place.shape], place.map);
                lay(bitmap, bitmap.left, bitmap.top, pixels.data(), page.width, from, to);
            }
        }
        pack(parts[part], {pixels.data(), page.width, 1, size_t(page.width)}, from, to, indexed, to == page.height);
    });
    return framed(page.width, page.height, indexed, parts);
}

// ---- Blend2D

static Bytes draw_blend2d([[maybe_unused]] Page &page, [[maybe_unused]] int threads, [[maybe_unused]] bool indexed) {
#ifdef WITH_BLEND2D
    if (page.paths.empty()) {
        for (const std::vector<Command> &shape : page.shapes) {
            BLPath path;
            for (const Command &command : shape) {
                const double *at = command.at;
                if (command.kind == 'M') path.move_to(at[0], at[1]);
                if (command.kind == 'L') path.line_to(at[0], at[1]);
                if (command.kind == 'C') path.cubic_to(at[0], at[1], at[2], at[3], at[4], at[5]);
                if (command.kind == 'Z') path.close();
            }
            page.paths.push_back(path);
        }
    }
    static BLImage image;
    if (image.width() != page.width || image.height() != page.height) image.create(page.width, page.height, BL_FORMAT_A8);
    BLContextCreateInfo how{};
    how.thread_count = threads > 1 ? threads : 0;
    BLContext context(image, how);
    context.clear_all();
    context.set_fill_rule(BL_FILL_RULE_NON_ZERO);
    context.set_fill_style(BLRgba32(0xffffffff));
    for (const Place &place : page.places) {
        const double *map = place.map;
        context.set_transform(BLMatrix2D(map[0], map[1], map[2], map[3], map[4], map[5]));
        context.fill_path(page.paths[place.shape]);
    }
    context.end();
    BLImageData data;
    image.get_data(&data);
    const uint8_t *first = static_cast<const uint8_t *>(data.pixel_data);
    return encoded({first, page.width, 1, size_t(data.stride)}, page.height, threads, indexed);
#else
    fail("this was built without Blend2D");
#endif
}

// ---- Orders

static std::map<std::string, Page> pages;

static void learn() {
    std::string name;
    size_t shapes, places;
    Page page;
    std::cin >> name >> page.width >> page.height >> shapes >> places >> page.repeats;
    for (size_t at = 0; at < shapes; at++) {
        size_t count;
        std::cin >> count;
        std::vector<Command> shape(count);
        for (Command &command : shape) {
            std::cin >> command.kind;
            const int numbers = command.kind == 'C' ? 6 : command.kind == 'Z' ? 0 : 2;
            for (int number = 0; number < numbers; number++) std::cin >> command.at[number];
        }
        page.shapes.push_back(shape);
    }
    for (size_t at = 0; at < places; at++) {
        Place place;
        std::cin >> place.shape;
        for (double &entry : place.map) std::cin >> entry;
        if (!page.shapes.at(place.shape).empty()) page.places.push_back(place);
    }
    pages[name] = std::move(page);
}

/// Processor time of all threads, also of those that have ended.
static uint64_t cpu_ns() {
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return uint64_t(time.tv_sec) * 1000000000 + time.tv_nsec;
}

template <typename Make> static void timed(Make make) {
    const auto started = std::chrono::steady_clock::now();
    const uint64_t cpu = cpu_ns();
    const Bytes file = make();
    const uint64_t cpu_taken = cpu_ns() - cpu;
    const auto wall = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - started);
    std::cout << wall.count() << ' ' << cpu_taken << ' ' << file.size() << '\n';
    std::cout.write(reinterpret_cast<const char *>(file.data()), file.size());
    std::cout.flush();
}

int main() {
    std::ios::sync_with_stdio(false);
    for (std::string order; std::cin >> order;) {
        std::string name, program, format;
        int threads;
        if (order == "page") {
            learn();
        } else if (order == "draw") {
            std::cin >> name >> program >> threads >> format;
            Page &page = pages.at(name);
            const auto draw = program == "freetype" ? draw_freetype : draw_blend2d;
            timed([&] { return draw(page, threads, format == "indexed"); });
        } else if (order == "encode") {
            int width, height, bytes;
            std::cin >> width >> height >> bytes >> threads >> format;
            std::cin.ignore();
            Bytes pixels(size_t(width) * height * bytes);
            std::cin.read(reinterpret_cast<char *>(pixels.data()), pixels.size());
            const Pixels drawn{pixels.data(), width, bytes, size_t(width) * bytes};
            timed([&] { return encoded(drawn, height, threads, format == "indexed"); });
        } else {
            fail("what is " + order + "?");
        }
    }
}
